import path from 'node:path';
import { isScipivotAlone } from '../../core/planned-settings';
import { readSummary } from '../../db/bench-facts';
import { findBench } from '../../db/benches';
import type { Database } from '../../db/database';
import { readDataSets } from '../../db/scipivot-sets';
import { readScipivotSummary } from '../../db/scipivot-summary';
import { withBenchRows, withRowsOf } from '../bench/bench-connection';
import { type BenchRequest, buildBenchRequest } from '../bench/bench-request';
import { findBenchId } from '../bench/find-bench';
import { Interrupted, sayLeft } from '../bench/leave-on-interrupt';
import { prepareStack, runBench } from '../bench/run-bench';
import { CliError, UsageError } from '../cli-error';
import type { Stack } from '../stack/ensure-stack';
import { together } from '../together';
import { refuseUnpartedRoles } from './parted-roles';
import type { RunFlags } from './run-commands';
import { refuseUsedDirectory, writeRunFiles } from './run-files';

/**
 * Runs a bench of SciΠvot alone, follows it to its end and writes its files.
 * @throws CliError when the roles are not parted, there is no such data set, or the bench did not finish
 */
export async function runOnDataSet(flags: RunFlags): Promise<void> {
  const request = await checkRun(flags);
  const prepared = await prepareStack();
  await withRowsOf(prepared.stack, async (db) => {
    await refuseUnpartedRoles(prepared.stack);
    await refuseUnknownSet(db, flags.data);
  });
  try {
    const benchId = await runBench(request, prepared, {
      isJson: Boolean(flags.json),
      isDetached: Boolean(flags.detach),
    });
    if (flags.detach) {
      process.stderr.write(`  its files later: co-scientist scipivot results ${benchId}\n`);
      return;
    }
    await withRowsOf(prepared.stack, (db) => writeFilesOf(db, prepared.stack, benchId, flags.outputDir));
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
    sayLeft(error.benchId);
  }
}

/** @throws UsageError or CliError with everything that is wrong before anything is started */
export async function checkRun(flags: RunFlags): Promise<BenchRequest> {
  const [request] = await together(
    () => buildRequest(flags),
    () => (flags.outputDir === undefined ? undefined : refuseUsedDirectory(flags.outputDir)),
  );
  return request;
}

/** No hypotheses, no matches, no reviewer: every candidate is asked the data set, and nothing else. */
async function buildRequest({ data, ...flags }: RunFlags): Promise<BenchRequest> {
  const alone = { scipivot: data, n: '0', matches: '0', reviewer: 'none', goldset: 'none' };
  const request = await buildBenchRequest(undefined, { ...flags, ...alone }).catch(pointToOwnHelp);
  if (!isScipivotAlone(request.plan)) throw new Error('scipivot run: planned as something else');
  return request;
}

/** Not to the help of `bench`, whose flags are others. */
function pointToOwnHelp(error: unknown): never {
  if (!(error instanceof UsageError)) throw error;
  const { details } = error;
  const remedy = details.remedy.replace(
    /see `co-scientist bench --help`.*/,
    'see `co-scientist scipivot run --help`',
  );
  throw new UsageError({ ...details, remedy });
}

async function refuseUnknownSet(db: Database, name: string): Promise<void> {
  const known = (await readDataSets(db)).map((set) => set.name);
  if (known.includes(name)) return;
  throw new CliError({
    reason: `--data: no data set ${JSON.stringify(name)} (${known.length > 0 ? `loaded: ${known.join(', ')}` : 'none is loaded'})`,
    remedy: 'bring one in with co-scientist scipivot export and load; docs/guide/scipivot.md has the steps',
  });
}

/** Writes the files of a bench that somebody ran, or is running. */
export async function writeResults(text: string, outputDir: string | undefined): Promise<void> {
  await withBenchRows(async ({ db, stack }) => {
    const benchId = await findBenchId(db, text);
    if (outputDir !== undefined) await refuseUsedDirectory(outputDir);
    await writeFilesOf(db, stack, benchId, outputDir);
  });
}

async function writeFilesOf(
  db: Database,
  stack: Stack,
  benchId: string,
  outputDir: string | undefined,
): Promise<void> {
  const summary = await readSummary(db, benchId);
  // From the rows, not from the summary the bench ended with: jsonb does not keep the order of keys, files must.
  const plan = (await findBench(db, benchId))?.plan;
  const scipivot = plan && (await readScipivotSummary(db, benchId, plan));
  if (scipivot === undefined) {
    throw new CliError({
      reason: `bench ${benchId} was not asked any SciΠvot data set`,
      remedy: 'co-scientist show has what it was asked',
    });
  }
  const directory = outputDir ?? path.join('runs', 'scipivot', benchId);
  await writeRunFiles(db, stack, { ...summary, scipivot }, directory);
  process.stderr.write(`files in ${directory}: predictions.jsonl and score.json of each, and run.json\n`);
}
