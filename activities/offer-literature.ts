import type { BenchPlan } from '../core/bench-plan';
import { offerTools, readOwnedBench } from '../db/benches';
import type { Database } from '../db/database';
import { deleteExpiredAnswers } from '../db/literature-cache';
import { writeAsOwner } from '../db/write-as-owner';
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
    const specs = findSpecs(deps.literature, plan);
    const offer = (tx: Database) => offerTools(tx, input.benchId, specs);
    const tools = offeredTools ?? (await writeAsOwner(deps.db, input, offer, 'update'));
    return tools.map(({ name }) => name);
  };
}

function findSpecs(gateway: LiteratureGateway, { literature: mode }: BenchPlan): ToolSpec[] {
  return gateway.offer(mode).tools.flatMap((name) => gateway.find(mode, name)?.tool ?? []);
}
