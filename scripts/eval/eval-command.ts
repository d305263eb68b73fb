import { mkdirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type EvalOptions, evaluate } from '../../activities/evaluation/eval-suite';
import { bundleTranscripts, withDatabaseTranscripts } from '../../activities/evaluation/transcripts';
import { findBundles } from '../../activities/reporting/bundle/read-bundle';
import { writeFileWhole } from '../../activities/reporting/write-file';
import { type EvalCheck, evalState } from '../../core/evaluation/eval-check';
import { withBenchRows } from '../bench/bench-connection';
import { findBenchId } from '../bench/find-bench';
import { printJson } from '../bench/print-result';
import { CliError, UsageError } from '../cli-error';
import { PROJECT } from '../stack/home';
import { evalLines, RUBRIC_NOTE } from './eval-lines';
import { type EvalRequest, readEvalRequest } from './eval-request';
import { junitXml } from './junit-xml';

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
  const results = await evaluateAll(request);
  if (request.junitFile !== null) {
    const file = resolve(request.junitFile);
    mkdirSync(dirname(file), { recursive: true });
    writeFileWhole(file, junitXml(results));
  }
  const checks = results.flatMap((result) => result.checks);
  const failed = checks.filter((check) => evalState(check) === 'failed');
  const passed = checks.filter((check) => evalState(check) === 'passed');
  if (request.isJson) printJson(asJson(results, failed.length === 0 && passed.length > 0));
  else process.stdout.write(evalLines(results));
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

async function evaluateAll(request: EvalRequest): Promise<EvalResult[]> {
  const { benchId, folder } = request;
  if (folder === null && benchId !== null) return [await evaluateInDatabase(benchId, request)];
  return evaluateFolder(folder ?? join(PROJECT, 'presets', 'transcripts'), request);
}

async function evaluateInDatabase(text: string, options: EvalOptions): Promise<EvalResult> {
  return withBenchRows(async ({ db }) => {
    const benchId = await findBenchId(db, text);
    const checks = await withDatabaseTranscripts(db, benchId, (transcripts) =>
      evaluate(transcripts, options),
    );
    return { benchId, checks };
  });
}

/** Reads files alone: no database, no server. */
async function evaluateFolder(folder: string, request: EvalRequest): Promise<EvalResult[]> {
  const root = resolve(folder);
  if (!statSync(root, { throwIfNoEntry: false })?.isDirectory()) {
    throw new UsageError({
      reason: `${folder} is no folder`,
      remedy: 'give the folder that export wrote to',
    });
  }
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
  for (const place of places) {
    const transcripts = bundleTranscripts(place, root);
    const checks = 'attempts' in transcripts ? await evaluate(transcripts, request) : [transcripts];
    results.push({ benchId: place.benchId, checks });
  }
  return results;
}

function asJson(results: readonly EvalResult[], hasPassed: boolean) {
  return {
    format: 1,
    passed: hasPassed,
    rubric: { state: 'not_built', reason: RUBRIC_NOTE },
    transcripts: results.map(({ benchId, checks }) => ({
      benchId,
      checks: checks.map((check) => ({ ...check, state: evalState(check) })),
    })),
  };
}
