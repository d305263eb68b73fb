import type { Client } from '@temporalio/client';
import type { BenchPlan } from '../../core/bench-plan';
import { calledModels } from '../../core/called-models';
import { graderQueue, literatureQueue, providerQueue } from '../../core/task-queues';

const ASK_MS = 60_000;
/** So long nobody has taken what waits: longer than a worker needs to be started anew. */
const WAITED_MS = 60_000;
const DEADLINE_MS = 5_000;

/** Says, where a bench is followed, what in it waits for a worker that is not there: its key may have gone with it. */
export class WaitingQueues {
  private askedAt = performance.now();
  private said = '';

  constructor(
    private readonly client: Client,
    private readonly workflowId: string,
    private readonly say: (line: string) => void,
  ) {}

  /** Asks once a minute, and says what it finds once. */
  async look(plan: BenchPlan): Promise<void> {
    if (performance.now() - this.askedAt < ASK_MS) return;
    this.askedAt = performance.now();
    const names = (await waitingQueues(this.client, this.workflowId, plan, WAITED_MS)).join(', ');
    if (names !== '' && names !== this.said) {
      this.say(`no worker takes what waits in ${names}: the bench goes on when one that serves it is back`);
    }
    this.said = names;
  }
}

/**
 * Queues of a bench, as `worker --queues` names them, in which something has waited so long, and of which nobody has taken
 * anything in half a minute. The server's own figures, by its own clock; none where it keeps none, or does not answer.
 */
export async function waitingQueues(
  client: Client,
  workflowId: string,
  plan: BenchPlan,
  waitedMs: number,
): Promise<string[]> {
  const ask = async (): Promise<string[]> => {
    const { taskQueue: base } = await client.workflow.getHandle(workflowId).describe();
    const providers = [...new Set(calledModels(plan).map(({ provider }) => provider))].sort();
    const queues: [name: string, queue: string][] = [
      ['rows', base],
      ...providers.map((it): [string, string] => [`provider.${it}`, providerQueue(base, it)]),
      ['literature', literatureQueue(base)],
      ['grader', graderQueue(base)],
    ];
    const waits = await Promise.all(queues.map(([, queue]) => hasWaited(client, queue, waitedMs)));
    return queues.flatMap(([name], i) => (waits[i] ? [name] : []));
  };
  return client.withDeadline(Date.now() + DEADLINE_MS, ask).catch(() => []);
}

const TASKS = { workflow: 1, activity: 2 } as const;

async function hasWaited({ workflowService, options }: Client, queue: string, waitedMs: number) {
  const answers = await Promise.all(
    Object.values(TASKS).map((taskQueueType) =>
      workflowService.describeTaskQueue({
        namespace: options.namespace,
        taskQueue: { name: queue },
        taskQueueType,
        reportStats: true,
      }),
    ),
  );
  return answers.some(({ stats }) => {
    const ageMs = 1_000 * Number(stats?.approximateBacklogAge?.seconds ?? 0);
    return Number(stats?.approximateBacklogCount ?? 0) > 0 && ageMs >= waitedMs && !stats?.tasksDispatchRate;
  });
}
