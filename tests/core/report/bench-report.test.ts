import { reportBench } from '../../../core/report/bench-report';
import { reportBenches } from '../../../core/report/benches-report';
import { factsOfRecord } from '../../../core/report/facts-of-record';
import { costText, NONE } from '../../../core/report/figure-text';
import { recallText, rescore } from '../../../core/report/gold-rescore';
import { methodsText } from '../../../core/report/methods';
import { qualificationsOf } from '../../../core/report/qualifications';
import type { RecordedBench } from '../../../core/report/recorded-bench';
import { summariseBench } from '../../../core/summarise-bench';
import { findGoldSet } from '../../../presets';
import { BENCH_ID, madeUp } from './made-up';
import { BIASED, FAIR, panelNight } from './panel-night';

const OPTIONS = {
  goldSets: [findGoldSet('aml-repurposing-paper-top3'), findGoldSet('aml-repurposing-paper-5')],
  themeSets: [],
  rubrics: [],
};

let record: RecordedBench;
let second: RecordedBench;
beforeAll(async () => {
  ({ record } = await madeUp());
  ({ record: second } = await madeUp({
    benchId: 'bnc_01KQTEST00000000000000TWO0',
    input: { ...record.run.input, seed: 5 },
  }));
});

test('the report’s ratings are those of the rows, its order theirs, its leader the first of the summary', () => {
  const report = reportBench(record, OPTIONS);
  expect(report.ratings).toEqual(record.run.ratings);
  expect(report.candidates.map(({ label }) => label)).toEqual(
    record.run.summary!.candidates.map(({ label }) => label),
  );
  expect(report.hypotheses).toHaveLength(12);
  expect(report.matches).toEqual({ scheduled: 24, played: 24, unplayed: {} });
});

test('without a summary the report says what the rows come to so far, and calls no hit none', () => {
  const running = structuredClone(record);
  running.run.summary = null;
  running.run.ratings = null;
  running.run.state = 'running';
  const report = reportBench(running, OPTIONS);
  expect(report.ratings!.given.candidates).toHaveLength(4);
  expect(report.candidates.map(({ goldHits }) => goldHits)).toEqual([null, null, null, null]);
});

test('a candidate whose slots all failed has missed no entity: its recall is unknown, the others’ are as they were', () => {
  const short = structuredClone(record);
  const [{ id, label }] = short.candidates as [RecordedBench['candidates'][number]];
  for (const slot of short.hypotheses) if (slot.candidateId === id) slot.state = 'failed';
  const { candidates } = summariseBench(factsOfRecord(short));
  const before = summariseBench(factsOfRecord(record)).candidates;
  expect(before.every(({ goldHits }) => goldHits !== null)).toBe(true);
  for (const row of candidates) {
    const other = before.find((it) => it.label === row.label)!;
    expect(row.goldHits).toBe(row.label === label ? null : other.goldHits);
    expect(row.goldHitNames).toEqual(row.label === label ? null : other.goldHitNames);
  }
  const scores = rescore(short, OPTIONS.goldSets[0]!).candidates;
  expect(scores.map((score) => recallText(score, 3) === NONE)).toEqual([true, false, false, false]);
});

test('a bench without a match has no ratings, and its findings say so', () => {
  const unjudged = structuredClone(record);
  unjudged.matches = [];
  unjudged.run.summary = null;
  unjudged.run.ratings = null;
  const report = reportBench(unjudged, OPTIONS);
  expect(report.ratings).toBeNull();
  const { findings } = reportBenches([report], []);
  expect(findings.join(' ')).toContain('no match was played, so 4 candidates stand unrated');
});

test('what the judge cost is known but for its calls of unknown cost, and those still out: at least so much', () => {
  const known = reportBench(record, OPTIONS);
  expect(known.judges.costs).toMatchObject({ nUnknownCost: 0, inDoubtUsd: 0 });
  expect(known.judges.costs.costUsd).toBe(known.summary.judge.costUsd);
  const gaps = structuredClone(record);
  const [first, second] = gaps.calls.filter(({ kind }) => kind === 'judge');
  Object.assign(first!, { costUsd: null, state: 'failed' });
  Object.assign(second!, { costUsd: null, state: 'in_doubt', chargedUsd: 0.25 });
  const { judges } = reportBench(gaps, OPTIONS);
  expect(judges.costs).toMatchObject({ nUnknownCost: 1, inDoubtUsd: 0.25 });
  expect(costText(judges.costs)).toMatch(/^≥ \$/);
});

describe('a night, whose matches rate nobody here', () => {
  const PINNED = 'bnc_01J0000000000000000000000B';

  test('tells of its panel all the same: 2 flips in 4 matches, both to the first (p ½), a half-flip, 1 of 1 repeats otherwise', () => {
    const facts = factsOfRecord(panelNight(record, PINNED));
    expect(facts.ratings).toBeNull();
    const { judge, judges, agreements, flags } = summariseBench(facts);
    expect(judges).toMatchObject([
      { judge: FAIR, verdicts: 8, matches: 4, flips: 0, halfFlips: 0, repeats: { asked: 0, otherwise: 0 } },
      { judge: BIASED, verdicts: 9, matches: 4, flips: 2, halfFlips: 1, repeats: { asked: 1, otherwise: 1 } },
    ]);
    // Two flips of two to the first: two-sided, 2 × ¼.
    expect(judges[1]!.positionBias).toMatchObject({ firstFirst: 2, secondSecond: 0 });
    expect(judges[1]!.positionBias!.pValue).toBeCloseTo(0.5, 12);
    expect(judge).toMatchObject({ flips: 2, halfFlips: 1, flipRate: 2 / 8 });
    // A, A, A, A against a tie, a tie, A and A.
    expect(agreements).toMatchObject([{ judges: [FAIR, BIASED], matches: 4, agreed: { count: 2, of: 4 } }]);
    expect(flags).toEqual([{ kind: 'judge_is_reviewer', judge: FAIR }]);
  });

  test('names a judge that flips in 4 of 4 matches uninformative', () => {
    const night = panelNight(record, PINNED);
    for (const { verdicts } of night.matches) {
      for (const verdict of verdicts) if (verdict.judge === BIASED) verdict.winnerPosition = 'second';
    }
    const [fair, biased] = summariseBench(factsOfRecord(night)).judges;
    expect([fair!.isUninformative, biased!.isUninformative]).toEqual([false, true]);
    expect(biased!.positionBias).toMatchObject({ firstFirst: 0, secondSecond: 4 });
  });

  test('says so in findings, methods and qualifications, and that matches were played', () => {
    const report = reportBench(panelNight(record, PINNED), OPTIONS);
    const findings = reportBenches([report], []).findings.join(' ');
    expect(findings).toContain(`the judge ${BIASED} named opposite sides in 2 of 4 matches (50 %)`);
    expect(findings).toContain('against another bench’s texts, so 4 candidates stand unrated');
    const methods = methodsText(report, {});
    expect(methods).toContain('(0 of 4, 0 %; 2 of 4, 50 % were)');
    expect(methods).toContain('There are no ratings: its matches are a night’s');
    expect(qualificationsOf(report).join(' ')).toContain(
      `${BIASED} said otherwise in 1 of 1 verdict (100 %)`,
    );
  });
});

describe('a candidate that lost a slot', () => {
  // Of the pipeline's two slots one fails, with its four matches; of the other four it wins three.
  const lopsided = async () => {
    const { record: pair } = await madeUp({
      input: {
        goal: 'Find a drug.',
        candidates: ['pipe=sim:alder@pipeline', 'raw=sim:alder@direct'],
        judge: 'sim:referee',
        ...{ n: 2, matches: 8 },
      },
    });
    const copy = structuredClone(pair);
    const slot = copy.hypotheses.find(({ id }) => id.endsWith('/pipe/2'))!;
    Object.assign(slot, { state: 'failed', failureKind: 'truncated', record: null, review: null });
    let played = 0;
    for (const match of copy.matches) {
      const isPipeA = match.candA.endsWith('/pipe');
      if ([match.hypA, match.hypB].includes(slot.id)) {
        const nothing = { winner: null, scoreA: null, agreement: null, verdicts: [] };
        Object.assign(match, { state: 'unplayed', reason: 'no_hypothesis', ...nothing });
        continue;
      }
      played += 1;
      const isAWinner = isPipeA === played <= 3;
      Object.assign(match, { winner: isAWinner ? 'a' : 'b', scoreA: isAWinner ? 1 : 0, agreement: 'agreed' });
      for (const verdict of match.verdicts) {
        verdict.winnerPosition = isAWinner === (verdict.order === 'ab') ? 'first' : 'second';
      }
    }
    expect(played).toBe(4);
    return summariseBench(factsOfRecord(copy));
  };

  test('3 of 4 won is 1000 + 200 lg 3 given a hypothesis, 3 of 8 is 1000 + 200 lg 0.6 as run, behind the other', async () => {
    const { candidates, pipelineMinusRaw } = await lopsided();
    const [pipe, raw] = candidates;
    expect([pipe!.label, pipe!.rank, pipe!.asRun.rank, raw!.rank, raw!.asRun.rank]).toEqual([
      'pipe',
      1,
      2,
      2,
      1,
    ]);
    expect(pipe!.rating).toBeCloseTo(1000 + 200 * Math.log10(3), 6);
    expect(pipe!.asRun.rating).toBeCloseTo(1000 + 200 * Math.log10(3 / 5), 6);
    expect(raw!.asRun.rating).toBeCloseTo(1000 - 200 * Math.log10(3 / 5), 6);
    expect(pipelineMinusRaw!.models).toMatchObject([{ model: 'sim:alder' }]);
    expect(pipelineMinusRaw!.models[0]!.elo).toBeCloseTo(400 * Math.log10(3), 6);
    expect(pipelineMinusRaw!.overall!.elo).toBeCloseTo(400 * Math.log10(3), 6);
  });
});

test('without a match nobody has a place as run, and there is no difference between the modes', () => {
  const { candidates, pipelineMinusRaw } = summariseBench(factsOfRecord({ ...record, matches: [] }));
  for (const { asRun } of candidates)
    expect(asRun).toMatchObject({ rank: null, rating: null, letters: null });
  expect(pipelineMinusRaw).toBeNull();
});

test('every registered gold set is held against the hypotheses, the bench’s own first', () => {
  const { rescores } = reportBench(record, OPTIONS);
  expect(rescores.map(({ name, isRuntime }) => [name, isRuntime])).toEqual([
    ['aml-repurposing-paper-5', true],
    ['aml-repurposing-paper-top3', false],
  ]);
  for (const { candidates, size } of rescores) {
    expect(candidates).toHaveLength(4);
    for (const { named, proposed, hypotheses } of candidates) {
      expect(named.length).toBeLessThanOrEqual(size);
      expect(named).toEqual(expect.arrayContaining(proposed));
      expect(hypotheses).toBe(3);
    }
  }
});

test('two runs that differ in their seed alone stand in one table, with an interval for each and for both', () => {
  const { pipelineRuns } = reportBenches([reportBench(second, OPTIONS), reportBench(record, OPTIONS)], []);
  expect(pipelineRuns).toHaveLength(1);
  const [{ benches, models }] = pipelineRuns as [(typeof pipelineRuns)[number]];
  expect(benches.map(({ benchId }) => benchId)).toEqual([BENCH_ID, second.run.benchId]);
  expect(models.map(({ model }) => model)).toEqual(['sim:alder', 'sim:hazel']);
  for (const { runs, pooled, positive, negative } of models) {
    expect(runs.map((run) => run!.interval)).not.toContain(null);
    expect(pooled!.interval).not.toBeNull();
    expect(positive + negative).toBe(2);
    // Twice the data: the pooled interval is narrower than either run's.
    const width = ({ low, high }: { low: number; high: number }) => high - low;
    for (const run of runs) expect(width(pooled!.interval!)).toBeLessThan(width(run!.interval!));
  }
});

test('runs with another judge’s prompts, or another n, are never put side by side', () => {
  const other = structuredClone(second);
  other.run.plan.prompts.verdict = 99;
  const { pipelineRuns } = reportBenches(
    [record, other].map((one) => reportBench(one, OPTIONS)),
    [],
  );
  expect(pipelineRuns.map(({ benches }) => benches.length)).toEqual([1, 1]);
});

test('simulated dollars are told apart from real ones, and kinds give the least and the most', () => {
  const real = structuredClone(second);
  real.run.plan.isSimulated = false;
  const { kinds, findings } = reportBenches(
    [record, real].map((one) => reportBench(one, OPTIONS)),
    [],
  );
  expect(kinds.map(({ isSimulated, benches, matches }) => [isSimulated, benches, matches])).toEqual([
    [true, 1, [24]],
    [false, 1, [24]],
  ]);
  const spent = real.run.summary!.totalCostUsd.toFixed(4);
  expect(findings[0]).toContain(`2 benches (1 simulated: models, verdicts and dollars made up)`);
  expect(findings[0]).toContain(`$${spent} spent`);
});

test('findings claim a difference only where its simultaneous interval excludes zero', () => {
  const report = reportBench(record, OPTIONS);
  const { differences } = report.ratings!.given;
  const standing = differences.filter(
    ({ amongPairs }) => amongPairs && (amongPairs.low > 0 || amongPairs.high < 0),
  );
  const { findings } = reportBenches([report], []);
  expect(findings[1]).toContain(`${standing.length} of 6 differences`);
  for (const { a, b } of differences) {
    const isClaimed = findings[1]!.includes(`${a} over ${b}`);
    expect(isClaimed).toBe(standing.some((one) => one.a === a && one.b === b));
  }
});

test('the methods paragraph names models, seed, schedule, estimand, interval method, missing and cost', () => {
  const text = methodsText(reportBench(record, OPTIONS), { verdict: 'a'.repeat(64) });
  for (const part of [
    'On 2026-10-04, 4 candidates',
    'oak[pipe] (sim:alder, pipeline)',
    'seed 20261004',
    '(24 in all)',
    'sim:referee',
    `verdict 1 (${'a'.repeat(12)})`,
    'the chance that a fresh hypothesis of one candidate is judged better',
    'hypotheses as clusters',
    'Of 24 matches 24 were played',
    `$${record.run.summary!.totalCostUsd.toFixed(4)} simulated`,
  ]) {
    expect(text).toContain(part);
  }
});
