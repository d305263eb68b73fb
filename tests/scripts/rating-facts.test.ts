import { judgeConduct } from '../../core/ratings/judge-conduct';
import { type BenchRatings, type RatedBench, rateBench } from '../../core/ratings/rate-bench';
import type { RatedMatch } from '../../core/ratings/rated-match';
import { ratingFacts } from '../../scripts/bench/rating-facts';
import { block } from '../../scripts/bench/text-block';
import { textWidth } from '../../scripts/bench/text-width';
import { match } from '../core/ratings/rated-matches';

type Score = ['a' | 'b' | 'tie', 'a' | 'b' | 'tie'];

/** x and y, `n` hypotheses each, in `count` matches that go as `say` has it. */
function bench(
  count: number,
  n: number,
  say: (k: number) => Score,
  change: Partial<RatedBench> = {},
): RatedBench {
  const matches = Array.from({ length: count }, (_, k) =>
    match(k, `x/${k % n}`, `y/${(k + Math.floor(k / n)) % n}`, say(k)),
  );
  const hypotheses = ['x', 'y'].flatMap((c) => Array.from({ length: n }, (_, k) => `${c}/${k}`));
  return {
    seed: 1,
    candidates: ['x', 'y'].map((label) => ({ label, kept: n, planned: n })),
    matches,
    judged: matches,
    features: new Map(
      hypotheses.map((id, k) => [id, { lengthChars: 1000 + 50 * ((k * 7) % 5), citations: 3 }]),
    ),
    models: [],
    unitCosts: { usdPerHypothesis: 1, usdPerVerdict: 0.01 },
    flagged: { judges: ['sim:judge'], reviewer: null, candidates: [] },
    ...change,
  };
}

const rated = (of: RatedBench): BenchRatings => rateBench(of, judgeConduct(of.matches, of.flagged))!;
const factOf = (of: RatedBench, name: string) =>
  ratingFacts(rated(of)).find(([found]) => found === name)?.[1] ?? null;

/** x wins three of four. */
const mostly: (k: number) => Score = (k) => (k % 4 === 0 ? ['b', 'b'] : ['a', 'a']);
const evenly: (k: number) => Score = (k) => (k % 2 ? ['a', 'a'] : ['b', 'b']);

describe('what a terminal says of ratings', () => {
  it('names who is better, with the interval in which all pairs hold at once', () => {
    expect(factOf(bench(60, 10, mostly), 'better')).toMatch(
      /^x than y by \d+ \(\d+ to \d+\); all pairs held at once$/,
    );
  });

  it('calls a pair underpowered that a wide interval leaves open, which is not "no difference"', () => {
    expect(factOf(bench(12, 4, evenly), 'better')).toBe('nobody is shown to be: 1 pair underpowered');
  });

  it('says why n = 1 has no interval, and that hypotheses are what to buy', () => {
    const single = bench(12, 1, evenly);
    expect(factOf(single, 'no interval')).toMatch(/^one hypothesis each .*--n 2 or more does$/);
    expect(factOf(single, 'better')).toBe('nobody is shown to be: 1 pair with too little to tell');
    expect(factOf(single, 'uncertainty')).toMatch(/buy hypotheses/);
    expect(factOf(single, 'first place')).not.toContain('chance');
  });

  it('says after each bench where its variance came from, what it could see, and what to buy', () => {
    expect(factOf(bench(60, 10, mostly), 'uncertainty')).toMatch(
      /^hypotheses \d+ %, verdicts \d+ %; could see a gap of \d+ Elo; the next dollar should buy (hypotheses|verdicts)$/,
    );
  });

  it('says that as run is the same where all slots came through: 4 of 4, 51 to 100 % (Wilson)', () => {
    expect(factOf(bench(12, 4, evenly), 'as run')).toBe(
      'the same: every slot brought a hypothesis (4/4, 51–100 % each)',
    );
  });

  it('names the order that failed slots turn round', () => {
    const played = bench(8, 4, mostly);
    const forfeits = Array.from(
      { length: 6 },
      (_, k): RatedMatch => ({
        ...match(8 + k, 'x/3', `y/${k % 4}`, ['tie', 'tie']),
        scoreA: null,
        forfeit: 'a',
        unplayedReason: 'no_hypothesis',
        verdicts: [],
      }),
    );
    const failing = {
      ...played,
      matches: [...played.matches, ...forfeits],
      candidates: [
        { label: 'x', kept: 3, planned: 4 },
        { label: 'y', kept: 4, planned: 4 },
      ],
    };
    expect(factOf(failing, 'as run')).toBe('with failed slots as lost matches y above x');
  });

  it('warns where ranks depend on what is missing, and is still where nothing is', () => {
    const played = bench(8, 4, (k) => (k === 0 ? ['a', 'a'] : evenly(k)));
    const missing = Array.from(
      { length: 4 },
      (_, k): RatedMatch => ({
        ...match(8 + k, `x/${k}`, `y/${k}`, ['a', 'a']),
        scoreA: null,
        unplayedReason: 'truncated',
        verdicts: [],
      }),
    );
    const text = factOf({ ...played, matches: [...played.matches, ...missing] }, 'missing');
    expect(text).toMatch(/^WARNING: ranks depend on it \(x 1–2, y 1–2\); 4 matches without verdict/);
    expect(factOf(played, 'missing')).toBeNull();
  });

  it('sets pipeline against raw beside the dollars, before and after length and citations are held equal', () => {
    const models = [{ model: 'p:maker/m,skill=1', pipeline: 'x', raw: 'y', pipelineUsd: 1.5, rawUsd: 0.25 }];
    expect(factOf(bench(24, 6, evenly, { models }), 'pipe − raw')).toMatch(
      /^0 Elo \(−\d+ to \+\d+, underpowered\) for \+\$1\.2500; with lengths and citation counts held equal /,
    );
  });

  it('says what length is worth, nothing of citations that do not differ, and what cannot be told apart', () => {
    expect(factOf(bench(24, 6, mostly), 'sensitivity')).toMatch(
      /^per standard deviation: length [+−]?\d+ Elo \(\d+ % of it is who wrote it\)$/,
    );
    const features = new Map(
      ['x', 'y'].flatMap((c) =>
        Array.from(
          { length: 6 },
          (_, k) => [`${c}/${k}`, { lengthChars: c === 'x' ? 900 : 400, citations: 1 }] as const,
        ),
      ),
    );
    expect(factOf(bench(24, 6, mostly, { features }), 'sensitivity')).toContain(
      'length cannot be told from who wrote it',
    );
  });

  it('lets nothing follow from a judge that always names the first', () => {
    expect(
      factOf(
        bench(24, 6, () => ['a', 'b']),
        'better',
      ),
    ).toBe('nothing follows: the judge flips too often');
  });

  it.each([80, 120])('fits %d columns in at most a dozen facts', (width) => {
    const facts = ratingFacts(rated(bench(60, 10, mostly)));
    expect(facts.length).toBeLessThanOrEqual(12);
    expect(textWidth(block(facts, width))).toBeLessThanOrEqual(width);
  });
});
