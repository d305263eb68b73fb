import { createLiteratureGateway, type LiteratureGateway } from '../../../activities/literature';
import type { ResolveHost } from '../../../activities/literature/address-guard';
import { createLiteratureHttp } from '../../../activities/literature/literature-http';
import { literatureSettings } from '../../../activities/literature/literature-settings';
import { createMemoryCache } from '../../../activities/literature/memory-cache';
import type { ToolAnswer, WithheldPaper } from '../../../activities/literature/source';
import type { HostPolicy, HostSlots } from '../../../db/host-slots';
import { type LiteratureDouble, startLiteratureDouble } from '../../doubles/literature-double';

/** A gateway whose sources are one double, and whose limiter writes down instead of waiting. */
export interface LiteratureBench {
  double: LiteratureDouble;
  gateway: LiteratureGateway;
  /** Hosts whose turns were taken, and for how long hosts were left alone. */
  turns: HostPolicy[];
  quiet: { host: string; ms: number }[];
  /** Runs a tool as a model would; a fresh cache unless one is kept. */
  run(
    tool: string,
    args: unknown,
    options?: { withheld?: WithheldPaper[]; signal?: AbortSignal },
  ): Promise<ToolAnswer>;
  forget(): void;
  close(): Promise<void>;
}

/**
 * @param options.allowed whether `fetch_page` may reach the double; else it is refused as any private address is
 */
export async function openLiteratureBench(
  options: {
    env?: Record<string, string>;
    allowed?: boolean;
    allowedOrigins?: string[];
    resolve?: ResolveHost;
  } = {},
): Promise<LiteratureBench> {
  const double = await startLiteratureDouble();
  const turns: HostPolicy[] = [];
  const quiet: { host: string; ms: number }[] = [];
  const slots: HostSlots = {
    take: async (policy) => {
      turns.push(policy);
      return { release: async () => {} };
    },
    defer: async (host, ms) => {
      quiet.push({ host, ms });
    },
  };
  let cache = createMemoryCache();
  const origins =
    options.allowed === false
      ? []
      : [double.origin, ...(options.allowedOrigins ?? []).map((o) => o.replace('PORT', String(double.port)))];
  const http = createLiteratureHttp({
    userAgent: 'co-scientist-bench/0.1 (test)',
    allowedOrigins: origins,
    ...(options.resolve ? { resolve: options.resolve } : {}),
  });
  const gateway = createLiteratureGateway({
    settings: literatureSettings({
      PUBMED_BASE_URL: `${double.origin}/eutils/`,
      ARXIV_BASE_URL: `${double.origin}/arxiv/`,
      EUROPE_PMC_BASE_URL: `${double.origin}/europepmc/`,
      TAVILY_BASE_URL: `${double.origin}/tavily/`,
      BRAVE_BASE_URL: `${double.origin}/brave/`,
      ...Object.fromEntries(
        Object.entries(options.env ?? {}).map(([name, value]) => [
          name,
          value.replace('DOUBLE', double.origin),
        ]),
      ),
    }),
    slots,
    cache: { get: (question) => cache.get(question), put: (...args) => cache.put(...args) },
    http,
    now: () => new Date('2026-11-29T12:00:00Z'),
  });
  return {
    double,
    gateway,
    turns,
    quiet,
    async run(tool, args, { withheld = [], signal = new AbortController().signal } = {}) {
      const source = gateway.find('live', tool);
      if (!source) throw new Error(`${tool} is not offered`);
      return source.run(args, gateway.open(signal, withheld));
    },
    forget: () => {
      cache = createMemoryCache();
    },
    async close() {
      await gateway.close();
      await double.close();
    },
  };
}
