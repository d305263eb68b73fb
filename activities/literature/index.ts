import type { LiteratureMode } from '../../core/bench-input';
import type { HostSlots } from '../../db/host-slots';
import type { LiteratureCache } from '../../db/literature-cache';
import { searchArxivSource } from './arxiv/search-arxiv';
import { bundledSources } from './bundled/bundled-sources';
import { searchEuropePmcSource } from './europe-pmc/search-europe-pmc';
import { createLiteratureHttp, type LiteratureHttp } from './literature-http';
import { type LiteratureSettings, userAgent } from './literature-settings';
import { fetchPageSource } from './page/fetch-page';
import { createPageReader, type PageReader } from './page/page-reader';
import { searchPubmedSource } from './pubmed/search-pubmed';
import type { LiteratureContext, LiteratureSource, WithheldPaper } from './source';
import { NO_WEB_SEARCH, searchWebSource } from './web/search-web';

/** In the order in which tools are offered. A new source is a file and a line here. */
const SOURCES: readonly RegisteredSource[] = [
  { name: 'search_pubmed', open: searchPubmedSource },
  { name: 'search_arxiv', open: searchArxivSource },
  { name: 'search_europe_pmc', open: searchEuropePmcSource },
  { name: 'search_web', open: searchWebSource, whyAbsent: NO_WEB_SEARCH },
  { name: 'fetch_page', open: fetchPageSource },
];

/** `open` gives null where the settings lack what the source needs. */
interface RegisteredSource {
  name: string;
  open(settings: LiteratureSettings, reader: PageReader): LiteratureSource | null;
  whyAbsent?: string;
}

/** The literature tools of one worker, or of one run of the CLI. */
export interface LiteratureGateway {
  /** Names of the tools that can be offered to a model, and why the others cannot. */
  offer(mode: LiteratureMode): { tools: string[]; absent: AbsentTool[] };
  /** null for a tool that is not offered. */
  find(mode: LiteratureMode, tool: string): LiteratureSource | null;
  /** What one call of a tool works with. */
  open(signal: AbortSignal, withheld: readonly WithheldPaper[]): LiteratureContext;
  /** Closes connections and threads; the gateway is of no use afterwards. */
  close(): Promise<void>;
}

export interface AbsentTool {
  tool: string;
  reason: string;
}

/**
 * @param deps.slots the limiter: shared through Postgres by all workers, or of one process
 * @param deps.cache likewise
 * @param deps.http for tests; else made from the settings, with nothing allowed but the public internet
 */
export function createLiteratureGateway(deps: {
  settings: LiteratureSettings;
  slots: HostSlots;
  cache: LiteratureCache;
  http?: LiteratureHttp;
  now?: () => Date;
}): LiteratureGateway {
  const { settings, slots, cache } = deps;
  const now = deps.now ?? (() => new Date());
  const http = deps.http ?? createLiteratureHttp({ userAgent: userAgent(settings) });
  const reader = createPageReader();
  const live = SOURCES.flatMap(({ open }) => open(settings, reader) ?? []);
  const sources: Record<LiteratureMode, LiteratureSource[]> = { live, bundled: bundledSources() };
  return {
    offer: (mode) => {
      const tools = sources[mode].map(({ tool }) => tool.name);
      return { tools, absent: absentTools(tools) };
    },
    find: (mode, tool) => sources[mode].find((source) => source.tool.name === tool) ?? null,
    open: (signal, withheld) => ({ signal, http, slots, cache, withheld, now }),
    async close() {
      await Promise.all([http.close(), reader.close()]);
    },
  };
}

function absentTools(offered: readonly string[]): AbsentTool[] {
  return SOURCES.filter(({ name }) => !offered.includes(name)).map(({ name, whyAbsent }) => ({
    tool: name,
    reason: whyAbsent ?? 'not set up',
  }));
}
