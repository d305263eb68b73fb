import type { BenchInput } from '../../core/bench-input';
import type { BenchSummary } from '../../core/bench-summary';
import { checkFigures } from '../../core/report/check-figures';
import { readRecordedBench } from '../../db/export-reads';
import type { BenchWorker } from './bench-worker';
import { type JudgedRows, readJudgedRows } from './judged-rows';

const INPUT: BenchInput = {
  goal: 'Find a drug for a disease that has none.',
  candidates: ['strong=sim:alder,skill=1@direct', 'weak=sim:hazel,skill=-1@direct'],
  judge: 'sim:fair-referee',
  reviewer: 'none',
  n: 1,
  matches: 3,
  probe: false,
};

/** The same bench two and five times over. */
export function testReplicates(shared: () => BenchWorker): void {
  let worker: BenchWorker;
  let two: BenchSummary;
  let five: BenchSummary;
  let rows: JudgedRows;
  beforeAll(async () => {
    worker = shared();
    [two, five] = await Promise.all([
      worker.run({ ...INPUT, replicates: 2 }),
      worker.run({ ...INPUT, replicates: 5 }),
    ]);
    rows = await readJudgedRows(worker.db, five.benchId);
  });

  test('5 runs of n 1 are 5 fresh hypotheses a candidate, no two alike', async () => {
    expect(five.candidates.map(({ nPlanned, nHypotheses }) => [nPlanned, nHypotheses])).toEqual([
      [5, 5],
      [5, 5],
    ]);
    const texts = await worker.db
      .selectFrom('bench_hypotheses')
      .select(['k', 'content_sha256 as sha'])
      .where('bench_id', '=', five.benchId)
      .execute();
    expect(new Set(texts.map(({ sha }) => sha)).size).toBe(10);
  });

  test('15 matches, 3 a run, each between hypotheses of one run, run after run', () => {
    expect(rows.matches).toHaveLength(15);
    const run = (id: string) => Number(id.slice(id.lastIndexOf('/') + 1));
    expect(rows.matches.map(({ hypA }) => run(hypA))).toEqual([1, 2, 3, 4, 5].flatMap((k) => [k, k, k]));
    for (const { hypA, hypB } of rows.matches) expect(run(hypA)).toBe(run(hypB));
  });

  test('a run begins once the one before has ended', async () => {
    const calls = await worker.db
      .selectFrom('bench_llm_calls')
      .select(['key', 'sent_at', 'ended_at'])
      .where('bench_id', '=', five.benchId)
      .where('kind', '=', 'generation')
      .execute();
    const ofRun = (k: number) => calls.filter(({ key }) => key.endsWith(`/${k}/turn/1`));
    for (const k of [1, 2, 3, 4]) {
      const lastEnd = Math.max(...ofRun(k).map((call) => call.ended_at!.getTime()));
      expect(Math.min(...ofRun(k + 1).map((call) => call.sent_at.getTime()))).toBeGreaterThanOrEqual(lastEnd);
    }
  });

  test('with two runs drift is left out of the intervals and that is said; with five it is in them', async () => {
    expect([two.replicates, two.isDriftLeftOut]).toEqual([2, true]);
    expect([five.replicates, five.isDriftLeftOut]).toEqual([5, false]);
    const record = await readRecordedBench(worker.db, five.benchId);
    expect(record.run.ratings?.given.settings.runs).toBe(5);
  });

  test('n 1 has intervals where there are replicates, and every stored figure follows from the rows', async () => {
    for (const { candidates } of [two, five]) {
      for (const { ratingLow, ratingHigh } of candidates) expect(ratingHigh!).toBeGreaterThan(ratingLow!);
    }
    for (const { benchId } of [two, five]) {
      expect(checkFigures(await readRecordedBench(worker.db, benchId), null)).toEqual([]);
    }
  });
}
