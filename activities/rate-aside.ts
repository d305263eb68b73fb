import { join } from 'node:path';
import Piscina from 'piscina';
import type { JudgeConduct } from '../core/ratings/judge-conduct';
import { type BenchRatings, type RatedBench, rateBench } from '../core/ratings/rate-bench';

/** Up to here ratings take a fraction of a second; they grow with the square of the pairs and with the matches. */
const MOST_HERE = { candidates: 12, matches: 2_000 };

/**
 * `rateBench`, in a thread of its own where there is much to rate: a hundred candidates are a minute's work, in which the
 * worker would renew no lease and tell nobody that it lives. Its calls would be paid twice, and the bench never end.
 */
export async function rateAside(bench: RatedBench, conduct: JudgeConduct): Promise<BenchRatings | null> {
  const { candidates, matches } = bench;
  if (candidates.length <= MOST_HERE.candidates && matches.length <= MOST_HERE.matches) {
    return rateBench(bench, conduct);
  }
  const pool = new Piscina({ filename: join(__dirname, 'rating-worker.cjs'), maxThreads: 1, execArgv: [] });
  try {
    return (await pool.run({ bench, conduct }, { name: 'rate' })) as BenchRatings | null;
  } finally {
    await pool.destroy();
  }
}
