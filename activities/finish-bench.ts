import { Context, log } from '@temporalio/activity';
import type { BenchSummary } from '../core/bench-summary';
import { summariseBench } from '../core/summarise-bench';
import { readBenchFacts } from '../db/bench-facts';
import { readOwnedBench } from '../db/benches';
import { cancelOpenCandidates } from '../db/candidates';
import type { Database } from '../db/database';
import { saveResults } from '../db/results';
import { writeAsOwner } from '../db/write-as-owner';
import type { ActivityDeps, BenchRef } from './activity-deps';
import { rateAside } from './rate-aside';
import { writeArtifacts } from './reporting/write-artifacts';

export interface FinishInput extends BenchRef {
  status: 'finished' | 'cancelled';
}

/**
 * Turns a bench's rows into its results, and writes them in one transaction; then its artifacts, where this worker has
 * a place for them.
 */
export function createFinishBench({ db, artifactsDir }: ActivityDeps) {
  return async function finishBench(input: FinishInput): Promise<BenchSummary> {
    const { plan } = await readOwnedBench(db, input);
    const facts = await readBenchFacts(db, input.benchId, input.status, rateAside);
    const summary = summariseBench(facts);
    const byLabel = new Map(summary.candidates.map((row) => [row.label, row]));
    const results = {
      elo: facts.elo,
      ratings: facts.ratings,
      candidates: facts.candidates.flatMap(({ id }, i) => {
        const row = byLabel.get(plan.candidates[i]?.label ?? '');
        return row ? [{ id, row }] : [];
      }),
    };
    const write = async (tx: Database): Promise<void> => {
      if (input.status === 'cancelled') await cancelOpenCandidates(tx, input.benchId);
      await saveResults(tx, summary, results);
    };
    await writeAsOwner(db, input, write, 'update');
    // A disk so slow that it outlasts this activity's time must not keep a bench from ending.
    const isFirstTry = Context.current().info.attempt === 1;
    if (artifactsDir !== undefined && isFirstTry) await leaveArtifacts(db, input.benchId, artifactsDir);
    return summary;
  };
}

/** A full disk must not fail a bench whose results stand in its rows: `export` writes the same files at any time. */
async function leaveArtifacts(db: Database, benchId: string, root: string): Promise<void> {
  try {
    await writeArtifacts(db, benchId, root);
  } catch (error) {
    const { code, name } = error as { code?: unknown; name?: unknown };
    log.warn('artifacts could not be written; co-scientist export writes them', {
      benchId,
      cause: String(code ?? name),
    });
  }
}
