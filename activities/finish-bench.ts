import type { BenchSummary } from '../core/bench-summary';
import { summariseBench } from '../core/summarise-bench';
import { readBenchFacts } from '../db/bench-facts';
import { readOwnedBench } from '../db/benches';
import { saveResults } from '../db/results';
import type { ActivityDeps, BenchRef } from './activity-deps';

export interface FinishInput extends BenchRef {
  status: 'finished' | 'cancelled';
}

/** Turns a bench's rows into its results, and writes them in one transaction. */
export function createFinishBench({ db }: ActivityDeps) {
  return async function finishBench(input: FinishInput): Promise<BenchSummary> {
    const { plan } = await readOwnedBench(db, input);
    const facts = await readBenchFacts(db, input.benchId, input.status);
    const summary = summariseBench(facts);
    const byLabel = new Map(summary.candidates.map((row) => [row.label, row]));
    await saveResults(db, summary, {
      elo: facts.elo,
      ratings: facts.ratings,
      candidates: facts.candidates.flatMap(({ id }, i) => {
        const row = byLabel.get(plan.candidates[i]?.label ?? '');
        return row ? [{ id, row }] : [];
      }),
    });
    return summary;
  };
}
