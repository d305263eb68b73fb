import { getClient } from '@temporalio/activity';
import { Client, WorkflowNotFoundError } from '@temporalio/client';
import { NamespaceNotFoundError } from '@temporalio/common';
import { takeOverReason } from '../core/take-over-reason';
import { type BenchOwner, type BenchRow, findBench } from '../db/benches';
import { isImported } from '../db/imported-owner';
import { isNothing, readLeftToDo } from '../db/left-to-do';
import { readResumable, takeOverBench } from '../db/resume';
import { catalogue } from '../presets';
import type { ActivityDeps } from './activity-deps';
import { KNOWN_PROVIDERS } from './providers';

export interface ResumeRequest {
  benchId: string;
  /** End the workflow that still runs the bench, rather than refuse. */
  takeOver: boolean;
  owner: BenchOwner;
}

/**
 * Makes this workflow the owner of a bench whose own has failed, ended, or is lost. A retry finds itself the owner.
 * @returns the bench, or every reason against it
 */
export async function resumeBench(
  deps: ActivityDeps,
  { benchId, takeOver, owner }: ResumeRequest,
): Promise<BenchRow | { problems: string[] }> {
  const bench = await readResumable(deps.db, benchId);
  if (!bench) return { problems: [`resume: no bench ${benchId} (co-scientist list shows them)`] };
  if (!isSame(bench.owner, owner)) {
    const problems = [
      ...changedPrompts(bench.prompts),
      ...(await nothingLeft(deps, benchId, bench.state)),
      ...(await endOrRefuse(bench.owner, { benchId, takeOver, owner })),
    ];
    if (problems.length > 0) return { problems };
    const epoch = await takeOverBench(deps.db, benchId, bench.epoch, owner);
    if (epoch === null) return { problems: [await lostTo(deps, benchId)] };
  }
  const row = await findBench(deps.db, benchId);
  return row ?? { problems: [`resume: ${benchId} is gone`] };
}

/** A finished bench that lacks nothing keeps its results: begun again it would lose them while it runs, for good if it fails. */
async function nothingLeft({ db }: ActivityDeps, benchId: string, state: string): Promise<string[]> {
  if (state !== 'finished' || !isNothing(await readLeftToDo(db, benchId))) return [];
  return [
    `resume: ${benchId} has finished, and there is nothing left to do (a higher cap may reopen some of it)`,
  ];
}

/** Two saw the same owner, and the other wrote first. */
async function lostTo({ db }: ActivityDeps, benchId: string): Promise<string> {
  const winner = (await readResumable(db, benchId))?.owner.workflowId;
  return `resume: ${benchId} was taken over by another resume just now: workflow ${winner} has it`;
}

function isSame(one: BenchOwner, other: BenchOwner): boolean {
  return (
    one.namespace === other.namespace &&
    one.workflowId === other.workflowId &&
    one.firstRunId === other.firstRunId
  );
}

/** Verdicts by other words are not comparable: the rest of the bench would be another bench. */
function changedPrompts(then: Record<string, number>): string[] {
  const { prompts: now } = catalogue(KNOWN_PROVIDERS);
  return Object.keys({ ...then, ...now })
    .filter((name) => Object.hasOwn(then, name) && then[name] !== now[name])
    .sort()
    .map(
      (name) =>
        `resume: prompt ${name} was version ${then[name]}, is ${now[name] ?? 'gone'} (use the code of then)`,
    );
}

/** A reset changes a workflow's run id, not its first: the latest run under the id tells. */
async function endOrRefuse(
  owner: BenchOwner,
  { benchId, takeOver, owner: taker }: ResumeRequest,
): Promise<string[]> {
  if (isImported(owner)) return [];
  const { connection } = getClient();
  const { workflow } = new Client({ connection, namespace: owner.namespace });
  const handle = workflow.getHandle(owner.workflowId);
  try {
    const described = await handle.describe();
    const firstRunId = described.raw.workflowExecutionInfo?.firstRunId;
    if (described.status.name !== 'RUNNING' || firstRunId !== owner.firstRunId) return [];
    if (!takeOver) {
      return [
        `resume: ${benchId} is running as workflow ${owner.workflowId} (takeOver: true ends that first)`,
      ];
    }
    await workflow
      .getHandle(owner.workflowId, undefined, { firstExecutionRunId: owner.firstRunId })
      .terminate(takeOverReason(benchId, taker.workflowId));
    return [];
  } catch (error) {
    if (error instanceof WorkflowNotFoundError || error instanceof NamespaceNotFoundError) return [];
    throw error;
  }
}
