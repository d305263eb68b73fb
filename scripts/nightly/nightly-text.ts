import type { BenchSummary } from '../../core/bench-summary';
import { candidateAlarm, judgeAlarm, type NightlyVerdict } from '../../core/ratings/nightly-evidence';
import { costText, countText, NONE } from '../../core/report/figure-text';
import type { Nightly } from '../../db/nightlies';
import type { NightCandidateView, NightView } from '../../db/nightly-view';
import { judgeLines } from '../bench/judge-lines';
import { printable } from '../bench/printable';
import { splitTable, type ValueColumn } from '../bench/split-table';
import type { Colours, Screen } from '../bench/terminal';
import { hangingLines } from '../bench/wrapped-text';

export const VERDICT_WORDS: Record<NightlyVerdict, string> = {
  regressed: 'regressed',
  improved: 'improved',
  no_change: 'no change',
  underpowered: 'underpowered',
  judge_drift: 'judge drift',
};
const MARKS: Record<NightlyVerdict, string> = {
  regressed: 'R',
  improved: 'I',
  no_change: '=',
  underpowered: '·',
  judge_drift: 'J',
};
const BARS = '▁▂▃▄▅▆▇█';
const NIGHTS_SHOWN = 60;
/** What the nights leave to a candidate's label and the blanks beside it. */
const LABEL_ROOM = 26;

/**
 * The nights of the baseline in force, as a chart a candidate and its verdict.
 * @param known note: whether it is simulated, as `nightlyNote` has it; summaries: of its benches, by their ids
 */
export function nightlyText(
  nightly: Nightly,
  nights: readonly NightView[],
  { note, summaries }: { note: string | null; summaries: ReadonlyMap<string, BenchSummary> },
  { width, colours }: Screen,
): string {
  const hanging = (lines: string[]) => lines.flatMap((line) => hangingLines(line, width));
  const current = nights.filter(isOfBaseline(nightly.baseline)).slice(-shownNights(width));
  const last = current.at(-1);
  return [
    ...hanging([headline(nightly, nights, note, colours)]),
    ...(last ? [candidateTable(nightly, current, { width, bold: colours.bold })] : []),
    ...hanging([
      ...(last ? [legend(current), ...driftLines(nightly, current)] : [emptyText(nightly, nights)]),
      ...(last ? conductLines(last, summaries) : []),
      ...(last ? changeLines(last) : []),
      ...tellingLines(nights),
      ...endedLines(nights, note),
    ]),
  ].join('\n');
}

function shownNights(width: number): number {
  return Math.max(1, Math.min(NIGHTS_SHOWN, width - LABEL_ROOM));
}

/** Judged, and held against this baseline. */
export function isOfBaseline(baseline: number): (night: NightView) => boolean {
  return (night) => night.baseline === baseline && night.kind === 'measured' && night.judgedAt !== null;
}

function headline(
  { name, baseline, alpha }: Nightly,
  nights: readonly NightView[],
  note: string | null,
  { bold }: Colours,
): string {
  const sum = (of: 'costUsd' | 'nUnknownCost' | 'inDoubtUsd') =>
    nights.reduce((total, night) => total + night[of], 0);
  const costs = {
    costUsd: sum('costUsd'),
    nUnknownCost: sum('nUnknownCost'),
    inDoubtUsd: sum('inDoubtUsd'),
  };
  const counted = nights.filter(isOfBaseline(baseline)).length;
  return `${bold(name)} · baseline ${baseline}, ${countText(counted, 'night')} since · ${nights.length} in all, ${noted(costText(costs), note)} · alpha ${alpha}`;
}

type TablePlace = { width: number; bold: (text: string) => string };

function candidateTable({ alpha }: Nightly, nights: readonly NightView[], place: TablePlace): string {
  const candidates = nights.at(-1)?.candidates ?? [];
  const scale = scaleOf(nights);
  const alarm = Math.round(candidateAlarm({ alpha, candidates: candidates.length }));
  const label: ValueColumn<NightCandidateView> = { name: 'candidate', maxWidth: 40, value: (c) => c.label };
  const columns: ValueColumn<NightCandidateView>[] = [
    label,
    { name: 'score', align: 'right', value: ({ score }) => (score === null ? NONE : score.toFixed(3)) },
    {
      name: 'nights',
      value: (candidate) => {
        const own = nights.map((night) => night.candidates.find((one) => one.label === candidate.label));
        return `${chart(own, scale)}\n${own.map((one) => (one ? MARKS[one.verdict] : ' ')).join('')}`;
      },
    },
    { name: 'E drop', align: 'right', value: ({ highestDrop }) => formatEvidence(highestDrop) },
    { name: 'E gain', align: 'right', value: ({ highestGain }) => formatEvidence(highestGain) },
    { name: `at E ≥ ${alarm}`, value: ({ verdict }) => VERDICT_WORDS[verdict] },
  ];
  return splitTable(columns, candidates, { label, ...place });
}

interface Scale {
  low: number;
  high: number;
}

function scaleOf(nights: readonly NightView[]): Scale {
  const scores = nights.flatMap(({ candidates }) => candidates.flatMap(({ score }) => score ?? []));
  return { low: Math.min(...scores, 0.5), high: Math.max(...scores, 0.5) };
}

/** A bar a night between the lowest and the highest score shown; a blank where too little was played. */
function chart(nights: readonly (NightCandidateView | undefined)[], { low, high }: Scale): string {
  return nights
    .map((night) => {
      if (night?.score == null) return ' ';
      const share = high > low ? (night.score - low) / (high - low) : 0.5;
      return BARS[Math.min(BARS.length - 1, Math.floor(share * BARS.length))] ?? ' ';
    })
    .join('');
}

function legend(nights: readonly NightView[]): string {
  const { low, high } = scaleOf(nights);
  return `bars: score ${low.toFixed(3)} to ${high.toFixed(3)}, ${nights.length === 1 ? 'one night' : `the last ${nights.length} nights`}; · underpowered, = no change, R regressed, I improved, J judge drift`;
}

function driftLines({ alpha }: Nightly, nights: readonly NightView[]): string[] {
  const last = nights.at(-1);
  const alarm = Math.round(judgeAlarm(alpha));
  if (last?.judgeHighest == null || nights.every(({ anchors }) => anchors === null)) {
    return ['judge: no anchors were played, so its drift cannot be told from a candidate’s'];
  }
  const score = last.anchors
    ? `favourites score ${last.anchors.favourites.toFixed(3)}`
    : 'too few anchors tonight';
  const drift = last.hasJudgeDrifted
    ? 'it has drifted: nobody is called until the next accept'
    : 'no drift shown';
  return [`judge: ${score}, E ${formatEvidence(last.judgeHighest)} of ${alarm}: ${drift}`];
}

/** How its matches were judged. */
function conductLines({ night, benchId }: NightView, summaries: ReadonlyMap<string, BenchSummary>): string[] {
  const summary = summaries.get(benchId ?? '');
  const [first = 'how it was judged is unknown: its bench has no summary', ...more] = summary
    ? judgeLines(summary)
    : [];
  return [`night ${night}: ${first}`, ...more];
}

function changeLines({ changes }: NightView): string[] {
  return changes.map(
    ({ who, before, now }) =>
      `changed under you: ${printable(who)} reports ${printable(now.join(', '))}, before ${printable(before.join(', '))}`,
  );
}

function tellingLines(nights: readonly NightView[]): string[] {
  const last = nights.findLast(({ toldState }) => toldState !== null);
  if (!last) return [];
  return [
    `night ${last.night}: the regression was ${last.toldState} (${printable(last.toldDetail ?? 'no answer')})`,
  ];
}

function endedLines(nights: readonly NightView[], note: string | null): string[] {
  const last = nights.at(-1);
  if (!last) return [];
  const state = last.judgedAt ? 'judged' : `not judged: its bench is ${last.benchState ?? 'not planned'}`;
  const mend =
    last.benchState === 'failed' || last.benchState === 'cancelled'
      ? ` (co-scientist resume ${last.benchId} goes on)`
      : '';
  return [
    `last night: ${last.night}, ${last.benchId ?? last.workflowId}, ${noted(costText(last), note)}, ${state}${mend}`,
  ];
}

function noted(cost: string, note: string | null): string {
  return note === null ? cost : `${note} ${cost}`;
}

function emptyText({ name, baseline }: Nightly, nights: readonly NightView[]): string {
  const isPlayed =
    baseline > 1 || nights.some(({ kind, judgedAt }) => kind === 'baseline' && judgedAt !== null);
  return isPlayed
    ? `no night is judged since the baseline; next: co-scientist nightly trigger ${name}`
    : `no night is judged yet: co-scientist nightly trigger ${name}, or wait for the Schedule`;
}

/** An E-value has no more than two digits worth reading. */
function formatEvidence(value: number): string {
  return value >= 1e6 ? value.toExponential(0) : value >= 10 ? String(Math.round(value)) : value.toFixed(1);
}
