import { hasEnded } from '../../core/bench-states';
import { NONE } from '../../core/report/figure-text';
import { recallText } from '../../core/report/gold-rescore';
import type { RecordedBench, RecordedRescore } from '../../core/report/recorded-bench';
import { makeRescore } from '../../core/report/stored-rescore';
import { openDatabase } from '../../db/database';
import { readRecordedBench, readSnapshot } from '../../db/export-reads';
import { GoldSetDiffers, saveRescore } from '../../db/rescores';
import { catalogue } from '../../presets';
import { CliError, UsageError } from '../cli-error';
import type { Stack } from '../stack/ensure-stack';
import { withBenchRows } from './bench-connection';
import { findBenchId } from './find-bench';
import { findNamedGoldSet, type NamedGoldSet } from './named-gold-set';
import { printJson } from './print-result';
import { printable } from './printable';
import { splitTable, type ValueColumn } from './split-table';
import { coloursFor, widthOf } from './terminal';
import { hangingLines } from './wrapped-text';

type Rescore = Omit<RecordedRescore, 'rescoredAt'>;

/**
 * Holds a bench's hypotheses against another gold set and keeps what came of it, beside the score of the bench itself.
 * Calls no model.
 * @throws UsageError for a set that cannot be used; CliError when there is no such bench or it has not ended
 */
export async function rescoreBench(
  text: string,
  { nameOrPath, isJson }: { nameOrPath: string; isJson: boolean },
): Promise<void> {
  const named = await findNamedGoldSet(nameOrPath);
  refuseBorrowedName(named);
  await withBenchRows(async ({ db, stack }) => {
    const benchId = await findBenchId(db, text);
    const record = await readSnapshot(db, (snapshot) => readRecordedBench(snapshot, benchId));
    refuseUnended(record);
    const rescore = makeRescore(record, named.goldSet, named.origin);
    await keep(stack, benchId, rescore);
    if (isJson) printJson({ benchId, ...rescore });
    else process.stdout.write(rescoreText(record, rescore));
  });
}

/** Two sets of one name in one report would be taken for each other. */
function refuseBorrowedName({ goldSet: { name }, origin }: NamedGoldSet): void {
  if (origin === 'registered' || !catalogue([]).goldSets.includes(name)) return;
  throw new UsageError({
    reason: `a set of your own cannot be called ${printable(name)}: a registered one is`,
    remedy: 'give it another name, in its file',
  });
}

function refuseUnended({ run: { benchId, state } }: RecordedBench): void {
  if (hasEnded(state)) return;
  throw new CliError({
    reason: `bench ${benchId} is ${state}: its hypotheses are not all there yet`,
    remedy: `wait for its end: co-scientist watch ${benchId}`,
  });
}

/** As the grader, who alone writes what was scored. */
async function keep({ databaseUrls }: Stack, benchId: string, rescore: Rescore): Promise<void> {
  const db = openDatabase(databaseUrls.grader, { maxConnections: 1 });
  try {
    await saveRescore(db, benchId, rescore);
  } catch (error) {
    if (!(error instanceof GoldSetDiffers)) throw error;
    throw new UsageError({
      reason: `bench ${benchId} was rescored by another set ${printable(error.goldSet)} of version ${error.version}`,
      remedy: 'raise the version in the file: what was scored by the other one stays',
    });
  } finally {
    await db.destroy();
  }
}

function rescoreText({ run }: RecordedBench, { goldSet, candidates }: Rescore): string {
  const { bold } = coloursFor(process.stdout);
  const width = widthOf(process.stdout);
  const simulated = run.plan.isSimulated ? ' · simulated' : '';
  const hanging = (line: string) => hangingLines(line, width);
  return [
    ...hanging(
      `${bold(run.benchId)} by ${printable(goldSet.name)} ${goldSet.version}, after the fact${simulated}`,
    ),
    '',
    splitTable(scoreColumns(goldSet.entities.length), candidates, { label: CANDIDATE, width, bold }),
    '',
    ...hanging(
      `public since ${goldSet.publishedOn}: a later model may have read it; kept beside the bench’s own score (${printable(run.goldSet ?? 'none')})`,
    ),
    '',
  ].join('\n');
}

type Scored = Rescore['candidates'][number];

const CANDIDATE: ValueColumn<Scored> = { name: 'candidate', value: ({ label }) => label };

function scoreColumns(size: number): ValueColumn<Scored>[] {
  const names = (entities: readonly string[]) => entities.map(printable).join(', ') || NONE;
  const width = { maxWidth: 48, tightWidth: 24 };
  return [
    CANDIDATE,
    { name: 'recall', align: 'right', value: (score) => recallText(score, size) },
    { name: 'named', ...width, value: ({ named }) => names(named) },
    { name: 'of these proposed', ...width, value: ({ proposed }) => names(proposed) },
    {
      name: 'hypotheses that hit',
      align: 'right',
      value: ({ hitting, hypotheses }) => `${hitting}/${hypotheses}`,
    },
  ];
}
