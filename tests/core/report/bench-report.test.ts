import { reportBench } from '../../../core/report/bench-report';
import { reportBenches } from '../../../core/report/benches-report';
import { methodsText } from '../../../core/report/methods';
import type { RecordedBench } from '../../../core/report/recorded-bench';
import { findGoldSet } from '../../../presets';
import { BENCH_ID, madeUp } from './made-up';

const OPTIONS = {
  goldSets: [findGoldSet('aml-repurposing-paper-top3'), findGoldSet('aml-repurposing-paper-5')],
  themeSets: [],
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
