import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { readOwnedBench } from '../db/benches';
import {
  claimTelling,
  readNightBefore,
  readVerdicts,
  saveTelling,
  type VerdictOfNight,
} from '../db/night-results';
import type { NightRef, OnRegression } from '../db/nightlies';
import { findNight, readNightly } from '../db/nightlies';
import type { ActivityDeps, BenchRef } from './activity-deps';

/** What the command gets on stdin and the webhook as its body. */
export interface RegressionNotice {
  nightly: string;
  night: number;
  benchId: string;
  /** Not regressed the night before. */
  regressed: { label: string; score: number | null; evidence: number }[];
  /** `label: verdict`, all of them. */
  verdicts: Record<string, string>;
}

const COMMAND_TIMEOUT_MS = 60_000;
const WEBHOOK_TIMEOUT_MS = 15_000;

/**
 * Tells of candidates that have regressed since the night before: once a night at most, also where the telling fails
 * or its worker dies. It is written down before it is tried.
 */
export function createTellRegression({ db }: ActivityDeps) {
  return async function tellRegression(input: BenchRef): Promise<'told' | 'failed' | 'nothing'> {
    await readOwnedBench(db, input);
    const night = await findNight(db, input.benchId);
    if (!night || night.kind === 'baseline') return 'nothing';
    const { name, onRegression } = await readNightly(db, night.nightlyId);
    if (!onRegression) return 'nothing';
    const verdicts = await readVerdicts(db, night);
    const news = newlyRegressed(verdicts, await readNightBefore(db, night));
    if (news.length === 0 || !(await claimTelling(db, night))) return 'nothing';
    const outcome = await tell(onRegression, noticeOf(name, night, input.benchId, verdicts, news));
    await saveTelling(db, night, outcome.state, outcome.detail);
    return outcome.state;
  };
}

function newlyRegressed(tonight: VerdictOfNight[], before: VerdictOfNight[]): VerdictOfNight[] {
  const known = new Set(before.filter(({ verdict }) => verdict === 'regressed').map(({ label }) => label));
  return tonight.filter(({ label, verdict }) => verdict === 'regressed' && !known.has(label));
}

function noticeOf(
  nightly: string,
  { night }: NightRef,
  benchId: string,
  verdicts: VerdictOfNight[],
  news: VerdictOfNight[],
): RegressionNotice {
  return {
    nightly,
    night,
    benchId,
    regressed: news.map(({ label, score, highestDrop }) => ({ label, score, evidence: highestDrop })),
    verdicts: Object.fromEntries(verdicts.map(({ label, verdict }) => [label, verdict])),
  };
}

interface Told {
  state: 'told' | 'failed';
  /** Without the target: a URL may hold a secret. */
  detail: string;
}

async function tell({ kind, target }: OnRegression, notice: RegressionNotice): Promise<Told> {
  const named = /^env:([A-Za-z_][A-Za-z0-9_]*)$/.exec(target)?.[1];
  const found = named === undefined ? target : process.env[named];
  if (!found) return { state: 'failed', detail: `this worker has no ${named}` };
  try {
    return kind === 'webhook' ? await post(found, notice) : await run(found, notice);
  } catch (error) {
    return { state: 'failed', detail: failureText(error) };
  }
}

async function post(url: string, notice: RegressionNotice): Promise<Told> {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (!parsed || !/^https?:$/.test(parsed.protocol) || parsed.username || parsed.password) {
    return { state: 'failed', detail: 'not an http(s) URL without a user: nothing was sent' };
  }
  const response = await fetch(parsed, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(notice),
    redirect: 'manual',
    signal: AbortSignal.timeout(WEBHOOK_TIMEOUT_MS),
  });
  await response.body?.cancel();
  return { state: response.ok ? 'told' : 'failed', detail: `HTTP ${response.status}` };
}

/** In a shell that knows none of the worker's keys: what it needs stands in its variables and on stdin. */
async function run(command: string, notice: RegressionNotice): Promise<Told> {
  const { PATH = '', HOME = '' } = process.env;
  const running = promisify(execFile)('/bin/sh', ['-c', command], {
    timeout: COMMAND_TIMEOUT_MS,
    env: {
      PATH,
      HOME,
      CO_SCIENTIST_NIGHTLY: notice.nightly,
      CO_SCIENTIST_NIGHT: String(notice.night),
      CO_SCIENTIST_BENCH: notice.benchId,
      CO_SCIENTIST_REGRESSED: notice.regressed.map(({ label }) => label).join(','),
    },
  });
  // A command that does not read its stdin has closed it.
  running.child.stdin?.on('error', () => undefined);
  running.child.stdin?.end(JSON.stringify(notice));
  await running;
  return { state: 'told', detail: 'exit code 0' };
}

function failureText(error: unknown): string {
  const { code, name, killed } = error as { code?: number | string; name?: string; killed?: boolean };
  if (killed) return `stopped after ${COMMAND_TIMEOUT_MS / 1000} s`;
  return typeof code === 'number' ? `exit code ${code}` : String(code ?? name ?? 'failed');
}
