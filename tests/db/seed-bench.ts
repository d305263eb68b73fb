import type { BenchPlan } from '../../core/bench-plan';
import { createBenchRows } from '../../db/benches';
import type { Database } from '../../db/database';

const PRICE = {
  inputUsdPerMTok: 1,
  outputUsdPerMTok: 5,
  cacheReadUsdPerMTok: null,
  cacheWriteUsdPerMTok: null,
  source: 'declared',
} as const;

/** A plan of two `sim` candidates, as the planner would make it. */
export function smallPlan(changes: Partial<BenchPlan> = {}): BenchPlan {
  return {
    preset: null,
    goal: 'Find out what makes the test pass.',
    candidates: ['alpha', 'beta'].map((label) => ({
      label,
      provider: 'sim',
      model: label,
      mode: 'direct',
      price: PRICE,
    })),
    judges: [{ provider: 'sim', model: 'judge', price: PRICE }],
    reviewer: { provider: 'sim', model: 'judge', price: PRICE },
    n: 2,
    matches: 2,
    orders: 'both',
    verdictMode: 'single',
    debateTurns: 2,
    judgeView: 'full',
    repeatShare: 0,
    goldSet: null,
    goldSources: 'withhold',
    budgets: { perCandidateUsd: 3, judgeUsd: 5, benchUsd: null },
    onJudgeCap: 'end',
    maxInFlight: 50,
    seed: 20261004,
    generation: { maxTurns: 12, maxToolCalls: 30, maxOutputTokens: 8192 },
    thinking: 'off',
    literature: 'live',
    allowSelfJudging: false,
    probe: true,
    session: null,
    priceTable: { name: 'test', asOf: '2026-01-01' },
    prompts: {},
    isSimulated: true,
    notes: [],
    ...changes,
  } as BenchPlan;
}

let benches = 0;

/** Writes a bench with its rows. */
export async function seedBench(db: Database, plan = smallPlan()): Promise<string> {
  benches += 1;
  const id = `bnc_${String(benches).padStart(26, '0')}`;
  const bench = await createBenchRows(
    db,
    { namespace: 'test', workflowId: `w${benches}`, firstRunId: `r${benches}` },
    { proposedId: id, makeId: () => id, input: {}, plan },
  );
  return bench.id;
}
