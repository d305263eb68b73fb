import { rateAside } from '../../activities/rate-aside';
import { judgeConduct } from '../../core/ratings/judge-conduct';
import { type RatedBench, rateBench } from '../../core/ratings/rate-bench';
import { match } from '../core/ratings/rated-matches';

/** Every candidate once against every other; the earlier one wins two of three. */
function roundRobin(size: number): RatedBench {
  const labels = Array.from({ length: size }, (_, i) => `c${i}`);
  const pairs = labels.flatMap((a, i) => labels.slice(i + 1).map((b) => [a, b] as const));
  const matches = pairs.map(([a, b], i) =>
    match(i, `${a}/1`, `${b}/1`, i % 3 === 0 ? ['b', 'tie'] : ['a', 'a']),
  );
  return {
    seed: 1,
    candidates: labels.map((label) => ({ label, kept: 1, planned: 1 })),
    matches,
    judged: matches,
    features: new Map(labels.map((label, i) => [`${label}/1`, { lengthChars: 100 + i, citations: i % 2 }])),
    models: [],
    unitCosts: { usdPerHypothesis: 0.01, usdPerVerdict: 0.001 },
    flagged: {
      judges: ['sim:judge'],
      reviewer: null,
      candidates: labels.map((label) => ({ label, model: `sim:${label}` })),
    },
  };
}

/** How often this thread came to something else while a bench was rated. */
async function turnsWhileRating(bench: RatedBench) {
  let turns = 0;
  const timer = setInterval(() => {
    turns += 1;
  }, 1);
  const ratings = await rateAside(bench, judgeConduct(bench.judged, bench.flagged));
  clearInterval(timer);
  return { ratings, turns };
}

test('13 candidates are rated as by rateBench itself, in another thread: this one goes on with its work', async () => {
  const bench = roundRobin(13);
  const { ratings, turns } = await turnsWhileRating(bench);
  expect(ratings).toEqual(rateBench(bench, judgeConduct(bench.judged, bench.flagged)));
  expect(turns).toBeGreaterThan(0);
});

test('12 candidates are rated at once: a thread would take longer to begin', async () => {
  const { ratings, turns } = await turnsWhileRating(roundRobin(12));
  expect(ratings?.given.candidates).toHaveLength(12);
  expect(turns).toBe(0);
});
