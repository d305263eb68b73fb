import { sideAt } from '../../core/outcome';
import { countText, scoreText, usdText } from '../../core/report/figure-text';
import { type HypothesisReport, reportHypotheses } from '../../core/report/hypothesis-report';
import type { RecordedBench, RecordedMatch, RecordedVerdict } from '../../core/report/recorded-bench';
import type { Database } from '../../db/database';
import { readRecordedBench, readSnapshot } from '../../db/export-reads';
import { UsageError } from '../cli-error';
import { hypothesisFacts, hypothesisLines, part, type TextPlace } from './hypothesis-lines';
import { plainTable } from './plain-table';
import { printJson } from './print-result';
import { printable } from './printable';
import { screenOf } from './terminal';
import { hangingLines } from './wrapped-text';

/**
 * Prints one match: both hypotheses with their reviews, what came of it, and every verdict with its rationale.
 * @param index its place in the schedule, from 0, as pages and tables name it
 * @throws UsageError when the bench has no such match
 */
export async function showMatch(
  db: Database,
  benchId: string,
  index: number,
  { isJson }: { isJson: boolean },
): Promise<void> {
  const record = await readSnapshot(db, (snapshot) => readRecordedBench(snapshot, benchId));
  const match = record.matches.find((one) => one.index === index);
  if (!match) throw noMatch(record, index);
  if (isJson) {
    const slot = (id: string) => record.hypotheses.find((hypothesis) => hypothesis.id === id) ?? null;
    printJson({ benchId, match, a: slot(match.hypA), b: slot(match.hypB) });
    return;
  }
  const place = screenOf(process.stdout);
  process.stdout.write(`${matchLines(record, match, place).join('\n').trimEnd()}\n`);
}

function noMatch({ run, matches }: RecordedBench, index: number): UsageError {
  const last = matches.at(-1)?.index;
  return new UsageError({
    reason: `--match: bench ${run.benchId} has no match ${index}`,
    remedy:
      last === undefined
        ? 'no match of it is scheduled'
        : `its ${countText(matches.length, 'match', 'matches')} are numbered 0 to ${last}`,
  });
}

/** Exported for its test. */
export function matchLines(record: RecordedBench, match: RecordedMatch, place: TextPlace): string[] {
  const reports = reportHypotheses(record);
  const { bold } = place.colours;
  const [a, b] = [match.hypA, match.hypB].map((id) => {
    const i = record.hypotheses.findIndex((hypothesis) => hypothesis.id === id);
    return { slot: record.hypotheses[i], report: reports[i] };
  });
  const simulated = record.run.plan.isSimulated ? ' · simulated' : '';
  return [
    `${bold(`match ${match.index}`)} of ${record.run.benchId}${simulated}`,
    `A  ${a?.report ? hypothesisFacts(a.report) : match.hypA}`,
    `B  ${b?.report ? hypothesisFacts(b.report) : match.hypB}`,
    outcomeText(match),
    ...[a, b].flatMap((side, i) => [
      '',
      bold(`${'AB'[i]} · ${nameOf(side?.report)}`),
      ...(side?.slot ? hypothesisLines(side.slot, place) : []),
    ]),
    ...match.verdicts.flatMap((verdict) => verdictLines(verdict, place)),
  ].flatMap((line) => hangingLines(line, place.width));
}

function nameOf(report: HypothesisReport | undefined): string {
  return report ? `${report.label} ${report.k}` : 'its slot is gone';
}

function outcomeText({ state, reason, winner, scoreA, agreement, judgeCostUsd }: RecordedMatch): string {
  if (state !== 'played') {
    return state === 'planned'
      ? 'not judged yet'
      : `unplayed: ${printable(reason ?? 'unknown').replaceAll('_', ' ')}`;
  }
  const named = winner === 'tie' ? 'a tie' : `${winner?.toUpperCase()} wins`;
  const how = agreement === 'flip' ? ' by flip' : agreement === 'half_flip' ? ' (a tie in one order)' : '';
  const cost = judgeCostUsd === null ? 'unknown' : usdText(judgeCostUsd);
  return `${named}${how}; A’s score ${scoreText(scoreA)}; known cost of its verdicts ${cost}`;
}

function verdictLines(verdict: RecordedVerdict, place: TextPlace): string[] {
  const { order, judge, state, winnerPosition, reason, detail, rationale, scores, repeat } = verdict;
  const side = winnerPosition === null ? null : sideAt(order, winnerPosition);
  const said =
    state === 'invalid' || side === null
      ? `could not be had: ${printable(reason ?? 'unknown')}`
      : side === 'tie'
        ? 'a tie'
        : `${side.toUpperCase()} wins`;
  return [
    place.colours.bold(
      `verdict${repeat > 0 ? ', asked again' : ''}, ${order === 'ab' ? 'A' : 'B'} shown first, by ${printable(judge)}: ${said}`,
    ),
    ...part('rationale', rationale ?? detail ?? '', place),
    ...(scores && scores.length > 0 ? [...scoreTable(scores, order).split('\n'), ''] : []),
  ];
}

/** By side, whatever the order in which they were shown. */
function scoreTable(scores: NonNullable<RecordedVerdict['scores']>, order: RecordedVerdict['order']): string {
  const right = 'right' as const;
  return plainTable(
    [
      { name: '  criterion', maxWidth: 60 },
      { name: 'A', align: right },
      { name: 'B', align: right },
    ],
    scores.map(({ criterion, first, second }) => {
      const [ofA, ofB] = order === 'ab' ? [first, second] : [second, first];
      return [`  ${printable(criterion)}`, String(ofA), String(ofB)];
    }),
    (head) => head,
  );
}
