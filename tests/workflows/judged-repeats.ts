import type { BenchInput } from '../../core/bench-input';
import type { BenchSummary } from '../../core/bench-summary';
import { judgeScope } from '../../core/ids';
import { checkFigures } from '../../core/report/check-figures';
import { findBench } from '../../db/benches';
import { readRecordedBench } from '../../db/export-reads';
import { raiseBudget } from '../../db/ledger';
import { readCalls } from './bench-rows';
import type { BenchWorker } from './bench-worker';
import { type JudgedRows, readJudgedRows } from './judged-rows';

const INPUT: BenchInput = {
  goal: 'Find a drug for a disease that has none.',
  candidates: ['one=sim:birch@direct', 'two=sim:cedar@direct', 'three=sim:dogwood@direct'],
  judge: 'sim:referee,accuracy=0.2',
  judgeView: 'text',
  n: 2,
  matches: 4,
  probe: false,
};

/** A judge who sees the texts alone, and is asked half of it again. */
export function testRepeats(shared: () => BenchWorker): void {
  let worker: BenchWorker;
  let once: BenchSummary;
  let summary: BenchSummary;
  let rows: JudgedRows;
  beforeAll(async () => {
    worker = shared();
    [once, summary] = await Promise.all([worker.run(INPUT), worker.run({ ...INPUT, repeatShare: 0.5 })]);
    rows = await readJudgedRows(worker.db, summary.benchId);
  });

  test('6 of 12 matches are judged again in both orders, each repeat under a key of its own', () => {
    const repeats = rows.verdicts.filter(({ repeat }) => repeat > 0);
    expect(repeats).toHaveLength(12);
    expect(new Set(repeats.map(({ matchId }) => matchId)).size).toBe(6);
    for (const { matchId, order, judge, callKey } of repeats) {
      expect(callKey).toBe(`${matchId}/${order}/${judge}/repeat/1/1`);
    }
    expect(rows.verdicts.filter(({ repeat }) => repeat === 0)).toHaveLength(24);
  });

  test('repeats never count twice: ratings, Elo and flips are those of the same bench without them', () => {
    const figures = ({ candidates, judge: { flips, halfFlips } }: BenchSummary) => [
      candidates.map(({ label, rating, ratingLow, meanElo, wins }) => [
        label,
        rating,
        ratingLow,
        meanElo,
        wins,
      ]),
      flips,
      halfFlips,
    ];
    expect(figures(summary)).toEqual(figures(once));
    expect([once.judge.verdicts, summary.judge.verdicts]).toEqual([24, 36]);
    expect(summary.judge.costUsd).toBeGreaterThan(once.judge.costUsd);
  });

  test('how often a repeat said otherwise is counted over all 12, as the rows have it', () => {
    const otherwise = rows.verdicts.filter(({ repeat, matchId, order, winnerPosition }) => {
      const first = rows.verdicts.find((v) => v.matchId === matchId && v.order === order && v.repeat === 0);
      return repeat > 0 && first?.winnerPosition !== winnerPosition;
    });
    expect(otherwise.length).toBeGreaterThan(0); // a judge that is four fifths a coin
    expect(summary.judges[0]?.repeats).toEqual({ asked: 12, otherwise: otherwise.length });
    expect(once.judges[0]?.repeats).toEqual({ asked: 0, otherwise: 0 });
  });

  test('the judge is shown neither citations nor reviews, by a prompt of its own that the plan names', async () => {
    const calls = await worker.db
      .selectFrom('bench_llm_calls')
      .select(['kind', 'request'])
      .where('bench_id', '=', summary.benchId)
      .execute();
    const requests = (kind: string) => calls.filter((call) => call.kind === kind).map((c) => c.request);
    expect(requests('judge')).toHaveLength(36);
    for (const request of requests('judge')) expect(request).not.toMatch(/Citations|<review>|Assessment:/);
    for (const request of requests('review')) expect(request).toContain('Citations: none');
    const bench = await findBench(worker.db, summary.benchId);
    expect(Object.keys(bench!.plan.prompts)).toContain('verdict-text');
    expect(Object.keys(bench!.plan.prompts)).not.toContain('verdict');
    expect(bench!.plan.notes.join()).toContain('no judge reads the reviews');
    expect(summary.judging).toMatchObject({ judgeView: 'text', repeatShare: 0.5 });
  });

  test('repeats come last: a cap too low for them all ends with 12 matches played, and a resume pays for what is left', async () => {
    const judge = 'sim:referee,accuracy=0.2';
    // Without a price on output the bound is the request alone: the cap holds 24 verdicts and some of the 24 repeats.
    const prices = { [judge]: { inputUsdPerMTok: 1, outputUsdPerMTok: 0 } };
    const poor = await worker.run({
      ...INPUT,
      ...{ reviewer: 'none', repeatShare: 1, prices, judgeBudgetUsd: 0.045 },
    });
    expect(poor.matches).toEqual({ scheduled: 12, played: 12, unplayed: {} });
    const before = poor.judges[0]!.repeats!.asked;
    expect(before).toBeLessThan(24);
    await raiseBudget(worker.db, judgeScope(poor.benchId), 5);
    const resumed = await worker.run({ resume: poor.benchId });
    expect(resumed.judges[0]?.repeats?.asked).toBe(24);
    expect(resumed.candidates.map(({ rating }) => rating)).toEqual(
      poor.candidates.map(({ rating }) => rating),
    );
    const judged = (await readCalls(worker.db, poor.benchId)).filter(({ kind }) => kind === 'judge');
    expect(judged).toHaveLength(48);
    expect(new Set(judged.map(({ attempt, state }) => `${attempt} ${state}`))).toEqual(
      new Set(['1 settled']),
    );
  });

  test('every stored figure follows again from the raw verdicts', async () => {
    expect(checkFigures(await readRecordedBench(worker.db, summary.benchId), null)).toEqual([]);
  });
}
