import { join, resolve } from 'node:path';
import { type EvalOptions, evaluate } from '../../activities/evaluation/eval-suite';
import { bundleTranscripts, withDatabaseTranscripts } from '../../activities/evaluation/transcripts';
import { findBundles } from '../../activities/reporting/bundle/read-bundle';
import { writeFileWhole } from '../../activities/reporting/write-file';
import type { BenchPlan, PlannedModel } from '../../core/bench-plan';
import { EVAL_AGENTS, type EvalCheck, evalState } from '../../core/evaluation/eval-check';
import { type RubricScore, type RubricTally, tallyRubric } from '../../core/evaluation/rubric';
import { formatModelRef } from '../../core/model-ref';
import { findBench } from '../../db/benches';
import { readRubricScores } from '../../db/rubric-scores';
import { findRubric } from '../../presets';
import { withBenchRows } from '../bench/bench-connection';
import { findBenchId } from '../bench/find-bench';
import { printJson } from '../bench/print-result';
import { screenOf } from '../bench/terminal';
import { CliError, UsageError } from '../cli-error';
import { PROJECT } from '../stack/home';
import { evalLines } from './eval-lines';
import { type EvalRequest, readEvalRequest } from './eval-request';
import { junitXml } from './junit-xml';
import { NOT_ASKED, type RubricResult, SEVERAL } from './rubric-lines';

/** The checks of one bench. */
export interface EvalResult {
  benchId: string;
  checks: EvalCheck[];
}

/** @throws UsageError for what cannot be asked; CliError when a check fails, or nothing could be checked at all */
export async function evalCommand(
  agent: string | null,
  options: Record<string, string | true | undefined>,
): Promise<void> {
  const request = readEvalRequest(agent, options);
  const overBudget = await scoreWhereAsked(request);
  const { results, rubric } = await evaluateAll(request, overBudget);
  if (request.junitFile !== null) {
    writeFileWhole(resolve(request.junitFile), junitXml(results));
  }
  const checks = results.flatMap((result) => result.checks);
  const failed = checks.filter((check) => evalState(check) === 'failed');
  const passed = checks.filter((check) => evalState(check) === 'passed');
  if (request.isJson) printJson(asJson(results, rubric, failed.length === 0 && passed.length > 0));
  else process.stdout.write(evalLines(results, rubric, screenOf(process.stdout)));
  if (failed.length > 0) {
    throw new CliError({
      reason: `${failed.length} of ${checks.length} checks failed`,
      remedy: 'each line above says where; co-scientist verify goes through all figures of exported files',
    });
  }
  if (passed.length === 0) {
    throw new CliError({
      reason: 'there was nothing to check, which is not a pass',
      remedy: 'give transcripts of a bench that has called its models',
    });
  }
}

/** @returns pieces of work that a cap left without a score */
async function scoreWhereAsked(request: EvalRequest): Promise<number> {
  const { scoring, benchId } = request;
  if (!scoring || benchId === null) return 0;
  const { scoreWork } = require('./score-work') as typeof import('./score-work');
  return (await scoreWork({ ...request, benchId }, scoring)).progress.overBudget;
}

interface Evaluation {
  results: EvalResult[];
  rubric: RubricResult;
}

async function evaluateAll(request: EvalRequest, overBudget: number): Promise<Evaluation> {
  const { benchId, folder } = request;
  if (folder === null && benchId !== null) return evaluateInDatabase(benchId, request, overBudget);
  return evaluateFolder(folder ?? join(PROJECT, 'presets', 'transcripts'), request);
}

async function evaluateInDatabase(
  text: string,
  options: EvalOptions,
  overBudget: number,
): Promise<Evaluation> {
  return withBenchRows(async ({ db }) => {
    const benchId = await findBenchId(db, text);
    const checks = await withDatabaseTranscripts(db, benchId, (transcripts) =>
      evaluate(transcripts, options),
    );
    const scores = await readRubricScores(db, benchId);
    const plan = (await findBench(db, benchId))?.plan ?? null;
    return { results: [{ benchId, checks }], rubric: tallyScores({ scores, plan }, options, overBudget) };
  });
}

function tallyScores(
  { scores, plan }: { scores: readonly RubricScore[]; plan: Pick<BenchPlan, 'candidates'> | null },
  { agent }: EvalOptions,
  overBudget: number,
): RubricResult {
  const tallies = (agent ? [agent] : EVAL_AGENTS).flatMap((name) => tallyRubric(findRubric(name), scores));
  if (tallies.length === 0 && overBudget === 0) return { state: 'not_asked', reason: NOT_ASKED };
  return { state: 'scored', tallies, overBudget, notes: rubricNotes(tallies, plan?.candidates ?? []) };
}

/** What a reader of the scores must know of who gave them. */
function rubricNotes(tallies: readonly RubricTally[], candidates: readonly PlannedModel[]): string[] {
  const judges = [...new Set(tallies.map(({ judge }) => judge))];
  const own = judges.filter((judge) => candidates.some((candidate) => formatModelRef(candidate) === judge));
  return [
    ...judges
      .filter((judge) => judge.startsWith('sim:'))
      .map((judge) => `${judge} is simulated: its scores mean nothing`),
    ...own.map((judge) => `${judge} is a candidate of this bench: it scores work of its own too`),
  ];
}

/** Reads files alone: no database, no server. */
async function evaluateFolder(folder: string, request: EvalRequest): Promise<Evaluation> {
  const root = resolve(folder);
  const places = findBundles(root).filter(
    (place) => request.benchId === null || place.benchId.startsWith(request.benchId),
  );
  if (places.length === 0) {
    throw new UsageError({
      reason: `${folder} holds no bench${request.benchId === null ? '' : ` ${request.benchId}`}`,
      remedy: 'give the folder that export wrote to, and a bench that is in it',
    });
  }
  const results: EvalResult[] = [];
  const scored: RubricResult[] = [];
  for (const place of places) {
    const transcripts = bundleTranscripts(place, root);
    const checks = 'attempts' in transcripts ? await evaluate(transcripts, request) : [transcripts];
    results.push({ benchId: place.benchId, checks });
    if (!('attempts' in transcripts)) continue;
    const { rubric, run } = transcripts.bench;
    if (rubric) scored.push(tallyScores({ scores: rubric.scores, plan: run.plan }, request, 0));
  }
  const [only = { state: 'not_asked' as const, reason: NOT_ASKED }] = scored;
  return { results, rubric: scored.length > 1 ? { state: 'not_asked', reason: SEVERAL } : only };
}

function asJson(results: readonly EvalResult[], rubric: RubricResult, hasPassed: boolean) {
  return {
    format: 1,
    passed: hasPassed,
    rubric,
    transcripts: results.map(({ benchId, checks }) => ({
      benchId,
      checks: checks.map((check) => ({ ...check, state: evalState(check) })),
    })),
  };
}
