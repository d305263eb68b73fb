import { countText } from '../../core/report/figure-text';
import { type HypothesisReport, reportHypotheses } from '../../core/report/hypothesis-report';
import type { RecordedBench, RecordedMatch } from '../../core/report/recorded-bench';
import type { Database } from '../../db/database';
import { readRecordedBench, readSnapshot } from '../../db/export-reads';
import { UsageError } from '../cli-error';
import { hypothesisFacts, hypothesisLines, part, type TextPlace, toolCallLines } from './hypothesis-lines';
import { printJson } from './print-result';
import { screenOf } from './terminal';
import { hangingLines } from './wrapped-text';

/**
 * Prints one slot: what it proposes or why it proposes nothing, its review, its tool calls, and how its matches ended.
 * @param which its number in the order of the plan, from 1; `<label>/<k>`; or as much of `hyp_…` as tells it apart
 * @throws UsageError when it names no slot, or more than one
 */
export async function showHypothesis(
  db: Database,
  benchId: string,
  which: string,
  { isJson }: { isJson: boolean },
): Promise<void> {
  const record = await readSnapshot(db, (snapshot) => readRecordedBench(snapshot, benchId));
  const i = findSlot(record, which);
  const slot = record.hypotheses[i]!;
  const matches = record.matches.filter(({ hypA, hypB }) => hypA === slot.id || hypB === slot.id);
  if (isJson) {
    printJson({ benchId, number: i + 1, hypothesis: slot, matches: matches.map(({ index }) => index) });
    return;
  }
  const place = screenOf(process.stdout);
  const reports = reportHypotheses(record);
  const { bold } = place.colours;
  const lines = [
    `${bold(`hypothesis ${i + 1}`)} of ${benchId}${record.run.plan.isSimulated ? ' · simulated' : ''}`,
    hypothesisFacts(reports[i]!),
    '',
    ...hypothesisLines(slot, place),
    ...toolCallLines(slot.toolCalls, place),
    ...matchList(record, reports, matches, slot.id, place),
  ].flatMap((line) => hangingLines(line, place.width));
  process.stdout.write(`${lines.join('\n').trimEnd()}\n`);
}

/** Exported for its test. @returns its place among all slots, from 0 */
export function findSlot({ run, hypotheses }: RecordedBench, which: string): number {
  if (/^\d+$/.test(which) && Number(which) >= 1 && Number(which) <= hypotheses.length)
    return Number(which) - 1;
  const id = `${run.benchId}/${which}`;
  const found = hypotheses.flatMap((slot, i) =>
    slot.id === id || (which.startsWith('hyp_') && slot.publicId.startsWith(which)) ? [i] : [],
  );
  if (found.length === 1) return found[0]!;
  const first = hypotheses[0];
  throw new UsageError({
    reason: `--hypothesis: ${JSON.stringify(which)} names ${found.length === 0 ? 'no slot' : `${found.length} slots`} of bench ${run.benchId}`,
    remedy: first
      ? `give 1 to ${hypotheses.length}, in the order of the plan; or ${first.id.slice(run.benchId.length + 1)}, or ${first.publicId.slice(0, 12)}…`
      : 'no slot of it is planned yet',
  });
}

function matchList(
  { hypotheses }: RecordedBench,
  reports: readonly HypothesisReport[],
  matches: readonly RecordedMatch[],
  id: string,
  place: TextPlace,
): string[] {
  const names = new Map(hypotheses.map((slot, i) => [slot.id, `${reports[i]!.label} ${reports[i]!.k}`]));
  // A night's opponents are texts of another bench: those go by their ids.
  const nameOf = (slot: string) => names.get(slot) ?? slot;
  const text = matches
    .map((match) => {
      const isA = match.hypA === id;
      return `${match.index}: against ${nameOf(isA ? match.hypB : match.hypA)}: ${resultOf(match, isA)}`;
    })
    .join('\n');
  return part(countText(matches.length, 'match', 'matches'), text, place);
}

function resultOf({ state, winner, agreement, reason }: RecordedMatch, isA: boolean): string {
  if (state !== 'played') return state === 'planned' ? 'not judged yet' : `unplayed (${reason ?? 'unknown'})`;
  if (winner === 'tie') return agreement === 'flip' ? 'tie by flip' : 'tie';
  return `${(winner === 'a') === isA ? 'won' : 'lost'}${agreement === 'half_flip' ? ' (a tie in one order)' : ''}`;
}
