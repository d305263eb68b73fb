import type { BenchInput } from '../../core/bench-input';
import type { BenchSummary } from '../../core/bench-summary';
import type { RawReply, SeenRequest } from '../doubles/raw-llm-double';
import { readCalls } from './bench-rows';
import type { BenchWorker } from './bench-worker';
import { forcedTool, goodArguments, isOf, placeOf, recordReply } from './double-answers';

/**
 * Output prices that make the sums easy: a call of `thrifty` or `lavish` is bounded by $1.00 (1,000 tokens at $1,000 a
 * million) and billed $0.50; one of `judge` is bounded by $1.00 (8,192 tokens, its fixed cap) and billed $0.50.
 */
const OUTPUT = { candidate: 1_000, judge: 1e6 / 8_192 };
const INPUT: BenchInput = {
  goal: 'Find a drug for a disease that has none.',
  candidates: ['thrifty=openai-compatible:thrifty@direct', 'lavish=openai-compatible:lavish@direct'],
  judge: 'openai-compatible:dear-judge',
  reviewer: 'none',
  goldSet: 'none',
  n: 1,
  matches: 4,
  maxInFlight: 1,
  generation: { maxTurns: 1, maxOutputTokens: 1_000 },
  probe: false,
  prices: {
    'openai-compatible:thrifty': { inputUsdPerMTok: 0, outputUsdPerMTok: 0 },
    'openai-compatible:lavish': { inputUsdPerMTok: 0, outputUsdPerMTok: OUTPUT.candidate },
    'openai-compatible:dear-judge': { inputUsdPerMTok: 0, outputUsdPerMTok: OUTPUT.judge },
  },
};
const IDEAS = [
  'Metformin starves the blasts of glutamine by way of complex I',
  'Does colchicine keep leukaemic stem cells out of their niche?',
  'Ranolazine with venetoclax: fatty acids burnt at both ends',
  'An old antimalarial against autophagy, given by the week',
];

let worker: BenchWorker;

/** How the models of these benches answer; null: it is none of them. */
export function answerForBudgets(request: SeenRequest): RawReply | null {
  if (!isOf(INPUT, request)) return null;
  const tool = forcedTool(request);
  const isHypothesis = tool === 'record_hypothesis';
  const idea = IDEAS[Number(placeOf(request).key.split('/')[1]) - 1] ?? 'judged';
  return recordReply(request, goodArguments(tool, isHypothesis ? idea : 'judged'), {
    input: 1,
    output: isHypothesis ? 500 : 4_096,
  });
}

async function readBudget(id: string) {
  return worker.db
    .selectFrom('bench_budgets')
    .select(['cap_usd', 'held_usd'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
}

function candidateOf(summary: BenchSummary, label: string) {
  return summary.candidates.find((candidate) => candidate.label === label);
}

/** Caps that bite. */
export function testBudgets(shared: () => BenchWorker): void {
  beforeAll(async () => {
    worker = shared();
  });

  test.concurrent('under a cap of $2.00, 3 of 4 calls of at most $1.00 that cost $0.50 go out: 3 hypotheses are kept, the fourth slot is over budget, and the bench goes on', async () => {
    const summary = await worker.run({ ...INPUT, n: 4, budgetPerCandidateUsd: 2 });
    expect(summary.status).toBe('finished');
    expect(candidateOf(summary, 'lavish')).toMatchObject({
      nPlanned: 4,
      nHypotheses: 3,
      failures: { over_budget: 1 },
      costUsd: 1.5,
    });
    expect(candidateOf(summary, 'thrifty')).toMatchObject({ nHypotheses: 4, failures: {}, costUsd: 0 });
    expect(await readBudget(`${summary.benchId}/lavish`)).toEqual({ cap_usd: 2, held_usd: 1.5 });
    const states = await worker.db
      .selectFrom('bench_candidates')
      .select(['label', 'state'])
      .where('bench_id', '=', summary.benchId)
      .orderBy('label')
      .execute();
    expect(states).toEqual([
      { label: 'lavish', state: 'over_budget' },
      { label: 'thrifty', state: 'ready' },
    ]);
    // 4 matches of 4 slots each side: one falls to the slot that gave nothing.
    expect(summary.matches).toEqual({ scheduled: 4, played: 3, unplayed: { no_hypothesis: 1 } });
  });

  test.concurrent('under a cap of $3.00, 5 verdicts of at most $1.00 that cost $0.50 go out: 2 matches are played, 2 are unplayed as over_budget, and the summary says so', async () => {
    const summary = await worker.run({ ...INPUT, judgeBudgetUsd: 3 });
    expect(summary).toMatchObject({
      status: 'finished',
      judge: { verdicts: 5, invalid: 0, costUsd: 2.5 },
      matches: { scheduled: 4, played: 2, unplayed: { over_budget: 2 } },
    });
    expect(await readBudget(`${summary.benchId}/judge`)).toEqual({ cap_usd: 3, held_usd: 2.5 });
    const matches = await worker.db
      .selectFrom('bench_matches')
      .select(['state', 'reason', 'winner'])
      .where('bench_id', '=', summary.benchId)
      .orderBy('index')
      .execute();
    expect(matches.map(({ state, reason }) => [state, reason])).toEqual([
      ['played', null],
      ['played', null],
      ['unplayed', 'over_budget'],
      ['unplayed', 'over_budget'],
    ]);
    expect(matches.slice(2).map(({ winner }) => winner)).toEqual([null, null]);
    // The one verdict of the third match is kept, and counts for nobody.
    expect(summary.candidates.map(({ wins, losses, ties }) => wins + losses + ties)).toEqual([2, 2]);
  });

  test.concurrent('the cap of the whole bench holds candidates and judge together: of $3.50, 2 hypotheses leave room for 4 verdicts', async () => {
    const prices = {
      ...INPUT.prices,
      'openai-compatible:thrifty': { inputUsdPerMTok: 0, outputUsdPerMTok: OUTPUT.candidate },
    };
    // 2 × $0.50 for hypotheses; then a verdict may go while $1.00 is left: at 1.0, 1.5, 2.0 and 2.5 held.
    const summary = await worker.run({ ...INPUT, prices, budgetUsd: 3.5 });
    expect(summary).toMatchObject({ judge: { verdicts: 4 }, totalCostUsd: 3, matches: { played: 2 } });
    expect(summary.matches.unplayed).toEqual({ over_budget: 2 });
    expect(await readBudget(summary.benchId)).toEqual({ cap_usd: 3.5, held_usd: 3 });
  });

  test.concurrent('0 matches are a valid bench: hypotheses, costs and gold hits, no judge asked, no rating', async () => {
    const { judge: _, ...rest } = INPUT;
    const summary = await worker.run({ ...rest, n: 2, matches: 0, goldSet: 'aml-repurposing-paper-5' });
    expect(summary).toMatchObject({
      status: 'finished',
      judge: { verdicts: 0, costUsd: 0, flipRate: null },
      matches: { scheduled: 0, played: 0, unplayed: {} },
      totalCostUsd: 1,
    });
    for (const candidate of summary.candidates) {
      expect(candidate).toMatchObject({
        rank: null,
        nHypotheses: 2,
        meanElo: null,
        topElo: null,
        goldHits: 0,
      });
    }
    const kinds = (await readCalls(worker.db, summary.benchId)).map(({ kind }) => kind);
    expect(kinds).toEqual(Array(4).fill('generation'));
  });
}
