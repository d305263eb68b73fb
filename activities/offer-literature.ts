import type { BenchPlan } from '../core/bench-plan';
import { offerTools, readOwnedBench } from '../db/benches';
import { deleteExpiredAnswers } from '../db/literature-cache';
import type { ActivityDeps, BenchRef } from './activity-deps';
import type { LiteratureGateway } from './literature';
import type { ToolSpec } from './providers/provider';

/**
 * Settles once which literature tools a bench's pipeline candidates are offered: those that the worker with the
 * literature role can serve, the same for all.
 */
export function createOfferLiterature(deps: ActivityDeps) {
  return async function offerLiterature(input: BenchRef): Promise<string[]> {
    if (!deps.literature) throw new Error('this worker serves no literature tools');
    const { plan, offeredTools } = await readOwnedBench(deps.db, input);
    await deleteExpiredAnswers(deps.db);
    const tools =
      offeredTools ?? (await offerTools(deps.db, input.benchId, findSpecs(deps.literature, plan)));
    return tools.map(({ name }) => name);
  };
}

function findSpecs(gateway: LiteratureGateway, { literature: mode }: BenchPlan): ToolSpec[] {
  return gateway.offer(mode).tools.flatMap((name) => gateway.find(mode, name)?.tool ?? []);
}
