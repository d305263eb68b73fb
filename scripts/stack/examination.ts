import { statfs } from 'node:fs/promises';
import { makeFolder } from '../../activities/reporting/make-folder';
import { engines } from '../../package.json';
import { examinePostgres, examineTemporal } from './examine-servers';
import type { Finding } from './finding';
import { isPortFree } from './free-port';
import { givenDatabase } from './given-database';
import { givenTemporal } from './given-temporal';
import { goVersion, MINIMUM_GO } from './go-version';
import { PROJECT, stackHome } from './home';
import { type StackStatus, stackStatus } from './stack-status';

/**
 * Looks at everything a bench needs and starts nothing. Library links of Postgres that a skipped install script left
 * out are made on the way.
 */
export async function examine(): Promise<Finding[]> {
  const status = await localStatus();
  const findings = await Promise.all([
    examineNode(),
    examineNativeModule(),
    examinePostgres(),
    examineTemporal(),
    examineGo(),
    examineDisk(),
    ...examineStack(status),
    ...examinePorts(status),
  ]);
  return [...findings, ...examineKeys()];
}

/** Without the parts that a server of the user's own stands for. */
async function localStatus(): Promise<Partial<StackStatus>> {
  const { postgres, temporal, ...rest } = await stackStatus();
  return {
    ...rest,
    ...(givenDatabase() ? {} : { postgres }),
    ...(isTemporalGiven() ? {} : { temporal }),
  };
}

function isTemporalGiven(): boolean {
  try {
    return givenTemporal() !== null;
  } catch {
    return true; // given wrongly: the finding on Temporal says so
  }
}

function examineNode(): Finding {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const isEnough = major > 20 || (major === 20 && minor >= 3);
  return {
    name: 'Node',
    state: isEnough ? 'ok' : 'missing',
    found: `${process.versions.node} (wanted: ${engines.node})`,
    remedy: isEnough ? null : 'install a current Node, then `npm ci`',
  };
}

/** The Temporal SDK is partly compiled code, which some systems (musl) cannot load. */
function examineNativeModule(): Finding {
  const name = 'Temporal SDK';
  try {
    require('@temporalio/core-bridge');
    return { name, state: 'ok', found: 'its compiled part loads', remedy: null };
  } catch (error) {
    const reason = (error as Error).message.split('\n')[0];
    return {
      name,
      state: 'missing',
      found: `its compiled part does not load: ${reason}`,
      remedy: `run \`npm ci\` in ${PROJECT}; on Alpine use a glibc system instead`,
    };
  }
}

async function examineGo(): Promise<Finding> {
  const go = await goVersion();
  const why = 'needed only to build a Temporal CLI';
  if (!go) return { name: 'Go', state: 'note', found: `none (${why})`, remedy: null };
  const found = go.isEnough ? go.version : `${go.version}, older than ${MINIMUM_GO} (${why})`;
  return { name: 'Go', state: go.isEnough ? 'ok' : 'note', found, remedy: null };
}

const LITTLE_DISK_BYTES = 2e9;

async function examineDisk(): Promise<Finding> {
  const { root } = stackHome();
  makeFolder(root);
  const { bavail, bsize } = await statfs(root);
  const isLittle = bavail * bsize < LITTLE_DISK_BYTES;
  return {
    name: 'Disk',
    state: isLittle ? 'note' : 'ok',
    found: `${(bavail * bsize * 1e-9).toFixed(1)} GB free at ${root}`,
    remedy: isLittle ? 'free some, or set CO_SCIENTIST_HOME to a folder on another disk' : null,
  };
}

function examineStack(status: Partial<StackStatus>): Finding[] {
  const { postgres, temporal, worker } = status;
  const parts: [string, { isRunning: boolean; pid: number } | null | undefined, string][] = [
    ['Local Postgres', postgres, postgres ? `port ${postgres.port}, data in ${postgres.dataDirectory}` : ''],
    ['Local Temporal', temporal, temporal ? `port ${temporal.port}, UI on port ${temporal.uiPort}` : ''],
    ['Local worker', worker, worker ? `task queue ${worker.taskQueue}, log ${worker.log}` : ''],
  ];
  const local = parts.filter(([, part]) => part !== undefined);
  return local.map(([name, part, place]) => {
    const isRunning = part?.isRunning === true;
    const found = part
      ? `${isRunning ? `runs as process ${part.pid}` : 'is down'}: ${place}`
      : 'never started';
    return { name, state: isRunning ? 'ok' : 'note', found, remedy: isRunning ? null : 'co-scientist up' };
  });
}

/** Ports that were used before and are taken by another program now: another will be used. */
function examinePorts({ postgres, temporal }: Partial<StackStatus>): Promise<Finding>[] {
  const ports: [string, number | undefined, boolean][] = [
    ['Postgres', postgres?.port, postgres?.isRunning === true],
    ['Temporal', temporal?.port, temporal?.isRunning === true],
    ['UI', temporal?.uiPort, temporal?.isRunning === true],
  ];
  return ports.map(async ([name, port, isOurs]): Promise<Finding> => {
    const finding: Finding = { name: `Port of ${name}`, state: 'ok', found: 'any free one', remedy: null };
    if (!port) return finding;
    if (isOurs) return { ...finding, found: `${port}, in use by ours` };
    if (await isPortFree(port)) return { ...finding, found: `${port}, free` };
    return { ...finding, state: 'note', found: `${port}, taken by another program; a free one will be used` };
  });
}

const LITERATURE_VARIABLES = [
  'NCBI_API_KEY',
  'LITERATURE_EMAIL',
  'TAVILY_API_KEY',
  'BRAVE_API_KEY',
  'SEARXNG_BASE_URL',
];

/** Which variables are set; never what they hold. */
function examineKeys(): Finding[] {
  const { openProviders, KNOWN_PROVIDERS, missingKeyHint } =
    require('../../activities/providers') as typeof import('../../activities/providers');
  const providers: Finding = { name: 'Providers', state: 'ok', found: '', remedy: null };
  try {
    const open = openProviders(process.env);
    const closed = KNOWN_PROVIDERS.filter((name) => !open.has(name));
    const hints = closed.map((name) => missingKeyHint(name)).join('; ');
    providers.found = `open: ${[...open.keys()].join(', ')}${closed.length > 0 ? `; without a key: ${closed.join(', ')}` : ''}`;
    if (hints) Object.assign(providers, { state: 'note', remedy: `to open more, set ${hints}` });
  } catch (error) {
    Object.assign(providers, {
      state: 'missing',
      found: (error as Error).message,
      remedy: 'mend or unset these variables',
    });
  }
  return [providers, examineLiteratureKeys()];
}

function examineLiteratureKeys(): Finding {
  const { literatureSettings } =
    require('../../activities/literature/literature-settings') as typeof import('../../activities/literature/literature-settings');
  const name = 'Literature keys';
  try {
    literatureSettings(process.env);
  } catch (error) {
    const found = (error as Error).message;
    return { name, state: 'missing', found, remedy: 'mend or unset these variables' };
  }
  const set = LITERATURE_VARIABLES.filter((variable) => process.env[variable]);
  const found = set.length > 0 ? `set: ${set.join(', ')}` : 'none set: public limits apply, no web search';
  return { name, state: set.length > 0 ? 'ok' : 'note', found, remedy: null };
}
