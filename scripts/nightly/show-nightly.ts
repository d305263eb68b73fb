import type { BenchSummary } from '../../core/bench-summary';
import { momentText, NONE } from '../../core/report/figure-text';
import { type Nightly, readBaseline, readNightlies } from '../../db/nightlies';
import { type NightView, readNightSummaries, readNights } from '../../db/nightly-view';
import { withBenchRows, withTemporal } from '../bench/bench-connection';
import { printJson } from '../bench/print-result';
import { splitTable, type ValueColumn } from '../bench/split-table';
import { coloursFor, screenOf, widthOf } from '../bench/terminal';
import { hangingLines } from '../bench/wrapped-text';
import { CliError } from '../cli-error';
import { findNamed } from './find-nightly';
import { nightlyNote } from './nightly-note';
import { isOfBaseline, nightlyText, VERDICT_WORDS } from './nightly-text';
import { describeSchedule, nightsAMonth } from './schedule';

/**
 * @param isCheck for CI and cron
 * @throws RegressionFound; CliError when there is nothing to check, or the last night is not judged
 */
export async function showNightly(
  name: string,
  { isJson, isCheck }: { isJson: boolean; isCheck: boolean },
): Promise<void> {
  await withBenchRows(async ({ db }) => {
    const nightly = await findNamed(db, name);
    const nights = await readNights(db, nightly.id);
    const summaries = await readNightSummaries(db, nightly.id);
    if (isJson) {
      const panel = (await readBaseline(db, nightly.id, nightly.baseline)) ?? null;
      printJson({
        format: 1,
        ...nightly,
        onRegression: nightly.onRegression?.kind ?? null,
        panel,
        nights: nights.map((night) => ({ ...night, ...judgingOf(summaries.get(night.benchId ?? '')) })),
      });
    } else {
      const screen = screenOf(process.stdout);
      const text = nightlyText(nightly, nights, { note: nightlyNote(nightly), summaries }, screen);
      process.stdout.write(`${text}\n`);
    }
    if (isCheck) check(nightly, nights);
  });
}

/** How a night was judged, as its summary has it; null where it has none, or where that was not kept. */
function judgingOf(
  summary: BenchSummary | undefined,
): Partial<Record<'judge' | 'judges' | 'agreements' | 'flags', unknown>> {
  const { judge = null, judges = null, agreements = null, flags = null } = summary ?? {};
  return { judge, judges, agreements, flags };
}

/** A candidate is worse than it was: exit code 3. */
class RegressionFound extends CliError {
  override readonly name = 'RegressionFound';
  override readonly exitCode = 3;
}

function check({ name, baseline }: Nightly, nights: readonly NightView[]): void {
  const ended = nights.filter(({ judgedAt, benchState }) => judgedAt !== null || isOver(benchState));
  const last = nights.findLast(isOfBaseline(baseline));
  const regressed = last?.candidates.filter(({ verdict }) => verdict === 'regressed') ?? [];
  if (last && regressed.length > 0) {
    throw new RegressionFound({
      reason: `${name}, night ${last.night}: regressed: ${regressed.map(({ label }) => label).join(', ')}`,
      remedy: `co-scientist nightly show ${name}; where it is meant to be so: co-scientist nightly accept ${name}`,
    });
  }
  const latest = ended.at(-1);
  if (latest && latest.judgedAt === null) {
    throw new CliError({
      reason: `${name}, night ${latest.night}: not judged, its bench ${latest.benchId} is ${latest.benchState}`,
      remedy: `co-scientist resume ${latest.benchId}`,
    });
  }
  if (!last) {
    throw new CliError({
      reason: `${name}: no night is judged, so there is nothing to check`,
      remedy: `co-scientist nightly trigger ${name}`,
    });
  }
}

function isOver(state: NightView['benchState']): boolean {
  return state === 'failed' || state === 'cancelled';
}

export async function listNightlies({ isJson }: { isJson: boolean }): Promise<void> {
  await withBenchRows(({ db, stack }) =>
    withTemporal(stack, async (client) => {
      const rows = [];
      for (const nightly of await readNightlies(db)) {
        const schedule = await describeSchedule(client, nightly.name);
        const nights = await readNights(db, nightly.id);
        rows.push({
          name: nightly.name,
          state: schedule === null ? 'no schedule' : schedule.state.paused ? 'paused' : 'on',
          next: schedule?.state.paused ? null : (schedule?.info.nextActionTimes[0]?.toISOString() ?? null),
          nights: nights.length,
          simulated: nightlyNote(nightly) !== null,
          monthUsd: schedule ? (nightsAMonth(schedule) ?? 0) * nightly.budgetUsd : null,
          verdicts: countVerdicts(nights.findLast(isOfBaseline(nightly.baseline))),
        });
      }
      if (isJson) printJson({ nightlies: rows });
      else process.stdout.write(`${listText(rows)}\n`);
    }),
  );
}

interface ListRow {
  name: string;
  state: string;
  next: string | null;
  nights: number;
  /** Some of its models, or all. */
  simulated: boolean;
  monthUsd: number | null;
  verdicts: Record<string, number>;
}

function countVerdicts(night: NightView | undefined): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { verdict } of night?.candidates ?? []) counts[verdict] = (counts[verdict] ?? 0) + 1;
  return counts;
}

const NO_NIGHTLIES = 'no nightlies yet; create one: co-scientist nightly create --help';

function listText(rows: readonly ListRow[]): string {
  if (rows.length === 0) return hangingLines(NO_NIGHTLIES, widthOf(process.stdout)).join('\n');
  const label: ValueColumn<ListRow> = { name: 'nightly', value: ({ name }) => name };
  const columns: ValueColumn<ListRow>[] = [
    label,
    { name: 'schedule', value: ({ state }) => state },
    { name: 'next night', value: ({ next }) => (next === null ? NONE : momentText(next)) },
    { name: 'nights', align: 'right', value: ({ nights }) => String(nights) },
    { name: 'a month at most', align: 'right', value: monthText },
    { name: 'last verdicts', value: verdictsText },
  ];
  const { bold } = coloursFor(process.stdout);
  return splitTable(columns, rows, { label, width: widthOf(process.stdout), bold });
}

function monthText({ monthUsd, simulated }: ListRow): string {
  return monthUsd === null ? NONE : `${simulated ? 'sim. ' : ''}$${monthUsd.toFixed(2)}`;
}

function verdictsText({ verdicts }: ListRow): string {
  const counted = Object.entries(verdicts).map(
    ([verdict, n]) => `${n} ${VERDICT_WORDS[verdict as keyof typeof VERDICT_WORDS]}`,
  );
  return counted.join(', ') || NONE;
}
