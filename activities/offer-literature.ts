import { offerTools, readOwnedBench } from '../db/benches';
import type { ActivityDeps, BenchRef } from './activity-deps';

/**
 * Settles once which literature tools a bench's pipeline candidates are offered: those that the worker with the
 * literature role can serve, the same for all.
 */
export function createOfferLiterature(deps: ActivityDeps) {
  return async function offerLiterature(input: BenchRef): Promise<string[]> {
    if (!deps.literature) throw new Error('this worker serves no literature tools');
    const { plan, offeredTools } = await readOwnedBench(deps.db, input);
    if (offeredTools) return offeredTools;
    return offerTools(deps.db, input.benchId, deps.literature.offer(plan.literature).tools);
  };
}
