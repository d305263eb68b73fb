import { InvalidArgumentError, Option } from 'commander';
import type { LiteratureGateway } from '../../activities/literature';
import type { LiteratureSettings } from '../../activities/literature/literature-settings';
import type { ToolAnswer } from '../../activities/literature/source';
import type { LiteratureMode } from '../../core/bench-input';
import type { HostSlots } from '../../db/host-slots';
import type { LiteratureCache } from '../../db/literature-cache';
import { widthOf } from '../bench/terminal';
import { CliError, UsageError } from '../cli-error';
import type { CliCommand } from '../command';

/** The sources as typed, and the tools that models know them by. */
const TOOLS: Record<string, string> = {
  pubmed: 'search_pubmed',
  arxiv: 'search_arxiv',
  'europe-pmc': 'search_europe_pmc',
  web: 'search_web',
  page: 'fetch_page',
};

export const literature: CliCommand = {
  name: 'literature',
  register: (program) => {
    program
      .command('literature')
      .description('Search one source or fetch one page, and see it as a model would')
      .argument('[source]', `${Object.keys(TOOLS).join(', ')}; without one: what can be used here`)
      .argument('[query]', 'what to search for; for page: an address, or doi:…, PMID:…, PMC…, arXiv:…')
      .option('--json', 'print the whole answer as one JSON object')
      .option('--max-results <n>', 'documents of a search, 1 to 10', readResults)
      .option('--offset <n>', 'for page: the character to go on from', readCount)
      .addOption(
        new Option('--literature <mode>', 'the real sources, or the bundled practice notes (no network)')
          .choices(['live', 'bundled'])
          .default('live'),
      )
      .checkingToo(
        async (source: string | undefined, query: string | undefined, options: LiteratureOptions) => {
          if (source !== undefined) await checkQuestion(source, query, options);
        },
      )
      .action((source: string | undefined, query: string | undefined, options: LiteratureOptions) =>
        source === undefined ? printOffer(options) : printAnswer(source, query, options),
      );
  },
};

interface LiteratureOptions {
  json?: true;
  maxResults?: number;
  offset?: number;
  literature: LiteratureMode;
}

function readResults(text: string): number {
  if (!/^([1-9]|10)$/.test(text)) throw new InvalidArgumentError('a whole number from 1 to 10');
  return Number(text);
}

function readCount(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('a whole number');
  return Number(text);
}

async function printOffer({ json, literature: mode }: LiteratureOptions): Promise<void> {
  await withGateway(async (gateway) => {
    const offer = gateway.offer(mode);
    if (json) {
      console.log(JSON.stringify(offer));
      return;
    }
    const { besideHead } = require('../bench/wrapped-text') as typeof import('../bench/wrapped-text');
    for (const [name, tool] of Object.entries(TOOLS)) {
      const absent = offer.absent.find((missing) => missing.tool === tool);
      const head = `${name.padEnd(12)}${tool.padEnd(20)}`;
      const said = absent ? `not available: ${absent.reason}` : 'available';
      console.log(besideHead(head, said, widthOf(process.stdout)).join('\n'));
    }
  });
}

async function printAnswer(
  source: string,
  query: string | undefined,
  options: LiteratureOptions,
): Promise<void> {
  const tool = await checkQuestion(source, query, options);
  const answer = await withGateway((gateway) => ask(gateway, tool, query ?? '', options));
  console.log(options.json ? JSON.stringify(answer) : printableText(answer.text));
  if (answer.failureKind)
    throw new CliError({
      reason: `${tool}: ${answer.outcome} (${answer.failureKind})`,
      remedy: 'docs/guide/literature.md says what each kind means',
    });
}

/**
 * @returns the tool that is asked
 * @throws UsageError with everything wrong with what is asked
 */
async function checkQuestion(
  source: string,
  query: string | undefined,
  { maxResults, offset }: LiteratureOptions,
): Promise<string> {
  const { together } = require('../together') as typeof import('../together');
  const tool = TOOLS[source] ?? source;
  const isKnown = Object.values(TOOLS).includes(tool);
  const isPage = tool === 'fetch_page';
  const refuse = (isWrong: boolean, reason: string, remedy: string) => () => {
    if (isWrong) throw new UsageError({ reason, remedy });
  };
  await together(
    refuse(!isKnown, `no literature source ${source}`, `one of ${Object.keys(TOOLS).join(', ')}`),
    refuse(query === undefined, `${source}: nothing to ask for`, `co-scientist literature ${source} '…'`),
    refuse(
      isKnown && !isPage && offset !== undefined,
      '--offset: means something for page only',
      'leave it out',
    ),
    refuse(isPage && maxResults !== undefined, '--max-results: a page is one document', 'leave it out'),
  );
  return tool;
}

async function ask(
  gateway: LiteratureGateway,
  tool: string,
  query: string,
  { literature: mode, maxResults, offset }: LiteratureOptions,
): Promise<ToolAnswer> {
  const found = gateway.find(mode, tool);
  if (!found) {
    const reason = gateway.offer(mode).absent.find((missing) => missing.tool === tool)?.reason;
    throw new CliError({
      reason: `${tool} is not available: ${reason}`,
      remedy: 'set one of them, or see docs/guide/literature.md',
    });
  }
  const question =
    tool === 'fetch_page'
      ? { url: query, ...(offset === undefined ? {} : { offset }) }
      : { query, ...(maxResults === undefined ? {} : { maxResults }) };
  return found.run(question, gateway.open(new AbortController().signal, []));
}

/** With `DATABASE_URL` by the limiter and cache of all workers there; else by those of this one process. */
async function withGateway<T>(work: (gateway: LiteratureGateway) => Promise<T>): Promise<T> {
  const url = process.env.DATABASE_URL;
  if (url) return withDatabaseGateway(url, work);
  const { createMemorySlots } =
    require('../../activities/literature/memory-slots') as typeof import('../../activities/literature/memory-slots');
  const { createMemoryCache } =
    require('../../activities/literature/memory-cache') as typeof import('../../activities/literature/memory-cache');
  return withOpenGateway({ slots: createMemorySlots(), cache: createMemoryCache() }, work);
}

async function withDatabaseGateway<T>(
  url: string,
  work: (gateway: LiteratureGateway) => Promise<T>,
): Promise<T> {
  const { openDatabase } = require('../../db/database') as typeof import('../../db/database');
  const { pendingMigrations } = require('../../db/migrate') as typeof import('../../db/migrate');
  const { createPostgresSlots } = require('../../db/host-slots') as typeof import('../../db/host-slots');
  const { createPostgresCache } =
    require('../../db/literature-cache') as typeof import('../../db/literature-cache');
  const pending = await pendingMigrations(url).catch((error: unknown) => {
    throw new CliError({
      reason: 'the database of DATABASE_URL does not answer',
      remedy: 'start it, or unset DATABASE_URL to search without one',
      error,
    });
  });
  if (pending.length > 0)
    throw new CliError({
      reason: `the database has an older schema than this program: it lacks ${pending.join(', ')}`,
      remedy: 'co-scientist migrate',
    });
  const db = openDatabase(url, { maxConnections: 3 });
  try {
    return await withOpenGateway({ slots: createPostgresSlots(db), cache: createPostgresCache(db) }, work);
  } finally {
    await db.destroy();
  }
}

async function withOpenGateway<T>(
  shared: { slots: HostSlots; cache: LiteratureCache },
  work: (gateway: LiteratureGateway) => Promise<T>,
): Promise<T> {
  const { createLiteratureGateway } =
    require('../../activities/literature') as typeof import('../../activities/literature');
  const gateway = createLiteratureGateway({ settings: readSettings(), ...shared });
  try {
    return await work(gateway);
  } finally {
    await gateway.close();
  }
}

/** @throws UsageError that names every variable that cannot be right */
function readSettings(): LiteratureSettings {
  const { InvalidLiteratureSettings, literatureSettings } =
    require('../../activities/literature/literature-settings') as typeof import('../../activities/literature/literature-settings');
  try {
    return literatureSettings(process.env);
  } catch (error) {
    if (!(error instanceof InvalidLiteratureSettings)) throw error;
    throw new UsageError({
      reason: 'the environment holds literature settings that cannot be right',
      problems: error.problems,
      remedy: 'mend or unset these variables',
      error,
    });
  }
}

/** Line by line, without escape sequences that a page could steer a terminal with. */
function printableText(text: string): string {
  const { printable } = require('../bench/printable') as typeof import('../bench/printable');
  return text
    .split('\n')
    .map((line) => printable(line))
    .join('\n');
}
