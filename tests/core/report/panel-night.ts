import type { BenchSummary } from '../../../core/bench-summary';
import { formatModelRef } from '../../../core/model-ref';
import type { RecordedBench, RecordedMatch, RecordedVerdict } from '../../../core/report/recorded-bench';

export const FAIR = 'sim:referee';
export const BIASED = 'sim:second';

type Said = NonNullable<RecordedVerdict['winnerPosition']>;

/** What the second judge says of each match, in order ab and in order ba. The first says that side A is better. */
const SAID: readonly (readonly [ab: Said, ba: Said])[] = [
  ['first', 'first'],
  ['first', 'first'],
  ['first', 'second'],
  ['tie', 'second'],
];

/**
 * A night made of a made-up bench: four matches, each against a text of another bench, judged by a panel of two. By
 * hand: the second judge flips twice, to the first, half-flips once, and takes back one verdict when asked again.
 */
export function panelNight(record: RecordedBench, pinned: string): RecordedBench {
  const { run } = record;
  const [judge] = run.plan.judges;
  const second = { ...judge!, model: BIASED.slice('sim:'.length) };
  if (formatModelRef(judge!) !== FAIR) throw new Error(`the first judge is ${formatModelRef(judge!)}`);
  const matches = record.matches.slice(0, SAID.length).map((match, i) => night(match, i, pinned));
  return {
    ...record,
    run: { ...run, plan: { ...run.plan, judges: [judge!, second] }, summary: null, ratings: null },
    matches,
  };
}

function night(match: RecordedMatch, i: number, pinned: string): RecordedMatch {
  const foreign = (id: string) => id.replace(/^[^/]+/, pinned);
  const [ab, ba] = SAID[i]!;
  const points = (said: Said) => (said === 'tie' ? 0.5 : said === 'first' ? 1 : 0);
  const scoreA = (2 + points(ab) + (1 - points(ba))) / 4;
  const told = (judge: string, order: 'ab' | 'ba', said: Said, repeat = 0): RecordedVerdict => ({
    ...match.verdicts[0]!,
    ...{ judge, order, repeat, state: 'valid', winnerPosition: said },
    callKey: `${match.id}/${order}/${judge}/${repeat + 1}`,
  });
  return {
    ...match,
    ...{ candB: foreign(match.candB), hypB: foreign(match.hypB) },
    ...{ state: 'played', winner: 'a', scoreA, agreement: null, repeats: i === 0 ? 1 : 0 },
    verdicts: [
      told(FAIR, 'ab', 'first'),
      told(FAIR, 'ba', 'second'),
      told(BIASED, 'ab', ab),
      told(BIASED, 'ba', ba),
      ...(i === 0 ? [told(BIASED, 'ab', 'second', 1)] : []),
    ],
  };
}

/**
 * A night's summary as programs wrote it that took the judges' conduct from the ratings, of which a night has none: zeros,
 * and neither places as run nor pipeline − raw, which came with the counting.
 */
export function asProgramsOfOldWroteIt(summary: BenchSummary): BenchSummary {
  const { pipelineMinusRaw: _, ...rest } = structuredClone(summary);
  const zeros = {
    ...{ matches: 0, flips: 0, halfFlips: 0, oneOrder: null, isUninformative: false },
    positionBias: { firstFirst: 0, secondSecond: 0, pValue: null },
    repeats: { asked: 0, otherwise: 0 },
  };
  return {
    ...rest,
    judge: { ...rest.judge, ...(rest.judges.length > 1 ? { flips: 0, halfFlips: 0, flipRate: null } : {}) },
    judges: rest.judges.map((judge) => ({ ...judge, ...zeros })),
    candidates: rest.candidates.map(({ asRun: __, ...candidate }) => candidate),
    agreements: [],
    flags: [],
  } as unknown as BenchSummary;
}
