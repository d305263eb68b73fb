import { sql } from 'kysely';
import type { AttemptLimits } from '../../core/call-decision';
import { benchScope, candidateScope } from '../../core/ids';
import type { Database } from '../../db/database';
import type { CallIntent, Settlement } from '../../db/ledger-records';

export const LIMITS: AttemptLimits = { maxAttempts: 4, maxThrottledMs: 60_000 };

export function intent(benchId: string, key: string, changes: Partial<CallIntent> = {}): CallIntent {
  return {
    key: `${benchId}/${key}`,
    kind: 'generation',
    benchId,
    epoch: 1,
    provider: 'sim',
    model: 'alpha',
    scopeIds: [candidateScope(`${benchId}/alpha`), benchScope(benchId)],
    requestSha256: 'a'.repeat(64),
    request: '{}',
    requestBytes: 100,
    boundUsd: 0.25,
    leaseMs: 60_000,
    ...changes,
  };
}

export function answer(costUsd: number | null, changes: Partial<Settlement> = {}): Settlement {
  return {
    response: '{"said":"so"}',
    requestId: 'req-1',
    reportedModel: 'alpha',
    usage: {
      inputTokens: 50,
      cachedInputTokens: null,
      cacheWriteTokens: null,
      outputTokens: 10,
      reasoningTokens: null,
      reportedCostUsd: null,
    },
    computedUsd: costUsd,
    latencyMs: 5,
    ...changes,
  };
}

export async function heldAndSum(
  db: Database,
  benchId: string,
): Promise<{ id: string; held: number; sum: number }[]> {
  const { rows } = await sql<{ id: string; held: number; sum: number }>`
    SELECT b.id, b.held_usd AS held,
           coalesce((SELECT sum(charged_usd) FROM bench_llm_calls c WHERE b.id = ANY (c.scope_ids)), 0) AS sum
      FROM bench_budgets b WHERE bench_id = ${benchId} ORDER BY b.id`.execute(db);
  return rows;
}
