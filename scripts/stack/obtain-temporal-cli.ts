import { mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { CliError } from '../cli-error';
import { goVersion, MINIMUM_GO } from './go-version';
import { PROJECT } from './home';
import { type ProgramResult, runProgram } from './run-program';
import {
  cachedTemporalCli,
  findTemporalCli,
  serverVersionOf,
  TEMPORAL_CLI_VERSION,
  type TemporalCli,
} from './temporal-cli';

type Report = (line: string) => void;

/**
 * A Temporal CLI: one that is here, else downloaded by the Temporal SDK, else built with Go; the latter two are
 * kept in our cache.
 * @throws CliError naming all five ways when none leads to one
 */
export async function obtainTemporalCli(report: Report, env = process.env): Promise<TemporalCli> {
  const found = await findTemporalCli(env);
  if (found) return found;
  const destination = cachedTemporalCli(env);
  await mkdir(dirname(destination), { recursive: true });
  const problems: string[] = [];
  for (const [origin, fetch] of [
    ['download', downloadWithSdk],
    ['go install', buildWithGo],
  ] as const) {
    const workshop = await mkdtemp(join(dirname(destination), 'unfinished-'));
    try {
      const problem = await fetch(workshop, report, env);
      const serverVersion = problem === null && (await moveIntoPlace(workshop, destination));
      if (serverVersion) return { executable: destination, serverVersion, origin };
      problems.push(`${origin}: ${problem ?? 'what came does not run here'}`);
    } finally {
      await rm(workshop, { recursive: true, force: true });
    }
  }
  throw new CliError({
    reason: `there is no Temporal CLI: not in TEMPORAL_CLI_PATH, PATH or ${dirname(destination)}; ${problems.join('; ')}`,
    remedy:
      'one of: set TEMPORAL_CLI_PATH to a `temporal` file; put `temporal` on PATH (https://docs.temporal.io/cli); ' +
      `copy it to ${destination}; let this machine reach temporal.download; or install Go ${MINIMUM_GO} or later. ` +
      'With a server of your own, set TEMPORAL_ADDRESS instead',
  });
}

const DOWNLOAD_STALL_MS = 20_000;
const DOWNLOAD_LIMIT_MS = 600_000;

/** The SDK can only download and start at once; it does so in a process of its own, ended when nothing comes. */
async function downloadWithSdk(
  workshop: string,
  report: Report,
  env: NodeJS.ProcessEnv,
): Promise<string | null> {
  report(`no Temporal CLI here: downloading ${TEMPORAL_CLI_VERSION}`);
  const script = join(__dirname, 'download-temporal-cli.ts');
  const tsx = require.resolve('tsx/cjs');
  const answer = await runProgram(process.execPath, ['--require', tsx, script, workshop], {
    timeoutMs: DOWNLOAD_LIMIT_MS,
    stall: { afterMs: DOWNLOAD_STALL_MS, measure: () => bytesIn(workshop) },
    cwd: PROJECT,
    env,
  });
  if (answer.exitCode === 0) return null;
  // The SDK names the URL twice before it comes to the point: "… (https://…): dns error: …".
  const problem = answer.problem ?? lastLine(answer).split('): ').at(-1) ?? '';
  report(`the download failed: ${problem}`);
  return problem;
}

async function buildWithGo(workshop: string, report: Report, env: NodeJS.ProcessEnv): Promise<string | null> {
  const go = await goVersion(env);
  if (!go) return 'no Go here';
  if (!go.isEnough) return `Go ${go.version} is older than ${MINIMUM_GO}`;
  const target = `github.com/temporalio/cli/cmd/temporal@v${TEMPORAL_CLI_VERSION}`;
  report(`building it with \`go install ${target}\`: about 2.5 minutes, once`);
  const begun = Date.now();
  const timer = setInterval(() => report(`  … ${Math.round((Date.now() - begun) / 1000)} s`), 15_000);
  try {
    const answer = await runProgram('go', ['install', target], {
      timeoutMs: 1_800_000,
      env: { ...env, GOBIN: workshop, GOFLAGS: '', HOME: env.HOME ?? homedir() },
    });
    if (answer.exitCode === 0) return null;
    const problem =
      answer.problem ?? answer.stderr.trim().split('\n').at(-1) ?? `exit code ${answer.exitCode}`;
    report(`the build failed: ${problem}`);
    return problem;
  } finally {
    clearInterval(timer);
  }
}

/** Finds the program in the workshop, sees that it runs and moves it in one step; null when there is none. */
async function moveIntoPlace(workshop: string, destination: string): Promise<string | null> {
  for (const name of await readdir(workshop)) {
    const file = join(workshop, name);
    const serverVersion = await serverVersionOf(file);
    if (!serverVersion) continue;
    await rename(file, destination);
    return serverVersion;
  }
  return null;
}

function lastLine(answer: ProgramResult): string {
  return answer.stderr.trim().split('\n').at(-1) || `exit code ${answer.exitCode}`;
}

async function bytesIn(folder: string): Promise<number> {
  const names = await readdir(folder).catch(() => []);
  const sizes = await Promise.all(names.map((name) => stat(join(folder, name)).catch(() => null)));
  return sizes.reduce((sum, file) => sum + (file?.size ?? 0), 0);
}
