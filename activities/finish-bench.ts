import type { BenchSummary } from '../core/bench-summary';
import { replayElo } from '../core/elo';
import { benchScope, candidateScope, judgeScope } from '../core/ids';
import { summariseBench } from '../core/summarise-bench';
import { readOwnedBench } from '../db/benches';
import { readCandidates } from '../db/candidates';
import { readScopeCosts } from '../db/costs';
import { readGoldHitNames } from '../db/gold-hits';
import { readSlots } from '../db/hypotheses';
import { countVerdicts, readPlayedMatches, saveResults } from '../db/results';
import type { ActivityDeps, BenchRef } from './activity-deps';

export interface FinishInput extends BenchRef {
  status: 'finished' | 'cancelled';
}

/** Turns a bench's rows into its results, and writes them in one transaction. */
export function createFinishBench({ db }: ActivityDeps) {
  return async function finishBench(input: FinishInput): Promise<BenchSummary> {
    const { benchId } = input;
    const { plan } = await readOwnedBench(db, input);
    const matches = await readPlayedMatches(db, benchId);
    const elo = replayElo(matches.map((m) => ({ a: m.hypA, b: m.hypB, scoreA: m.scoreA })));
    const goldHits = plan.goldSet ? await readGoldHitNames(db, benchId, plan.goldSet) : null;
    const candidates = await Promise.all(
      (await readCandidates(db, benchId)).map(async ({ id }) => ({
        id,
        costs: await readScopeCosts(db, benchId, candidateScope(id)),
        goldHitNames: goldHits ? (goldHits.get(id) ?? []) : null,
      })),
    );
    const summary = summariseBench({
      benchId,
      status: input.status,
      plan,
      candidates,
      slots: await readSlots(db, { benchId }),
      matches,
      elo,
      judge: {
        costs: await readScopeCosts(db, benchId, judgeScope(benchId)),
        ...(await countVerdicts(db, benchId)),
      },
      totalCosts: await readScopeCosts(db, benchId, benchScope(benchId)),
    });
    const byLabel = new Map(summary.candidates.map((row) => [row.label, row]));
    await saveResults(db, summary, {
      elo,
      candidates: candidates.flatMap(({ id }, i) => {
        const row = byLabel.get(plan.candidates[i]?.label ?? '');
        return row ? [{ id, row }] : [];
      }),
    });
    return summary;
  };
}
