import { blindSample, CLOSENESS, type Closeness, type Shown } from '../../../core/report/blind-sample';
import { humanAgreement } from '../../../core/report/human-agreement';
import type { RecordedBench, RecordedMatch } from '../../../core/report/recorded-bench';
import { madeUp } from './made-up';

let bench: RecordedBench;
beforeAll(async () => {
  ({ record: bench } = await madeUp());
});

const OUTCOMES: Record<Closeness, Partial<RecordedMatch>> = {
  clear: { winner: 'a', scoreA: 1, agreement: 'agreed' },
  close: { winner: 'b', scoreA: 0.25, agreement: 'half_flip' },
  flipped: { winner: 'tie', scoreA: 0.5, agreement: 'flip' },
};

/** The bench with so many matches of each kind, and the rest unplayed. */
function withKinds(counts: Record<Closeness, number>): RecordedBench {
  const kinds = CLOSENESS.flatMap((kind) => Array.from({ length: counts[kind] }, () => OUTCOMES[kind]));
  const unplayed = { state: 'unplayed', winner: null, scoreA: null, agreement: null } as const;
  return { ...bench, matches: bench.matches.map((match, i) => ({ ...match, ...(kinds[i] ?? unplayed) })) };
}

const kindsOf = (record: RecordedBench, count: number) => {
  const { items } = blindSample(record, count);
  return CLOSENESS.map((kind) => items.filter(({ closeness }) => closeness === kind).length);
};

test('of 12, 6 and 4 matches a sample of 9 has 3 of each kind, one of 16 has 6, 6 and 4, one of 30 all 22', () => {
  const record = withKinds({ clear: 12, close: 6, flipped: 4 });
  expect(kindsOf(record, 9)).toEqual([3, 3, 3]);
  expect(kindsOf(record, 16)).toEqual([6, 6, 4]);
  expect(kindsOf(record, 30)).toEqual([12, 6, 4]);
  expect(blindSample(record, 9).available).toEqual({ clear: 12, close: 6, flipped: 4 });
});

test('a tie in both orders is close, and an unplayed match is in no sample', () => {
  const [first, ...rest] = withKinds({ clear: 1, close: 0, flipped: 0 }).matches;
  const tied = { ...first!, winner: 'tie' as const, scoreA: 0.5, agreement: 'agreed' as const };
  const { items } = blindSample({ ...bench, matches: [tied, ...rest] }, 30);
  expect(items).toEqual([expect.objectContaining({ item: 1, match: 0, judge: 'tie', closeness: 'close' })]);
});

test('the judge’s side moves with the place it is shown in; both places occur; the same seed gives the same', () => {
  const sample = blindSample(bench, 24);
  const byIndex = new Map(bench.matches.map((match) => [match.index, match]));
  for (const { match, left, judge } of sample.items) {
    const { winner } = byIndex.get(match)!;
    expect(judge).toBe(winner === 'tie' ? 'tie' : winner === left ? 'left' : 'right');
  }
  expect(new Set(sample.items.map(({ left }) => left))).toEqual(new Set(['a', 'b']));
  expect(sample.items.map(({ item }) => item)).toEqual(Array.from({ length: 24 }, (_, i) => i + 1));
  expect(blindSample(structuredClone(bench), 24)).toEqual(sample);
  expect(blindSample(bench, 24, 7).items).not.toEqual(sample.items);
});

test('agreement of 7, 4 and 1 in 10 of 60, 30 and 10 matches weighs 55 %, its interval Wilson’s three by MOVER (worked out in Python)', () => {
  const available = { clear: 60, close: 30, flipped: 10 };
  const sames = { clear: 7, close: 4, flipped: 1 };
  const items = CLOSENESS.flatMap((closeness, i) =>
    Array.from({ length: 10 }, (_, k) => ({
      ...{ item: i * 10 + k + 1, match: i * 10 + k, left: 'a' as const, judge: 'left' as const, closeness },
    })),
  );
  const answers = new Map<number, Shown>(
    items.map(({ item, closeness }) => [item, (item - 1) % 10 < sames[closeness] ? 'left' : 'tie']),
  );
  const agreement = humanAgreement({ benchId: '', seed: 0, available, items }, answers);
  expect(agreement.same).toMatchObject({ count: 12, of: 30 });
  expect(agreement.sameSide).toMatchObject({ count: 12, of: 12, share: 1 });
  expect(agreement.weighted!.share).toBeCloseTo(0.6 * 0.7 + 0.3 * 0.4 + 0.1 * 0.1, 12);
  expect(agreement.weighted!.interval.low).toBeCloseTo(0.355054539446362, 10);
  expect(agreement.weighted!.interval.high).toBeCloseTo(0.6971565693423534, 10);
});

test('what was not judged counts nowhere; without any match of a kind that the bench has there is no weighted share', () => {
  const sample = blindSample(withKinds({ clear: 4, close: 4, flipped: 4 }), 12);
  const clear = sample.items.filter(({ closeness }) => closeness === 'clear');
  const agreement = humanAgreement(sample, new Map(clear.map(({ item, judge }) => [item, judge])));
  expect(agreement).toMatchObject({ judged: 4, of: 12, same: { count: 4, of: 4, share: 1 }, weighted: null });
  expect(agreement.byCloseness[1]!.same).toEqual({ count: 0, of: 0, share: null, interval: null });
});
