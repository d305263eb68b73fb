/**
 * Every queue's name follows from the workflow's own, the base: set the base and the rest is set.
 * Each provider has a queue of its own so that its rate limit and its key stay with it.
 */
export const DEFAULT_TASK_QUEUE = 'co-scientist';

export function providerQueue(base: string, provider: string): string {
  return `${base}.provider.${provider}`;
}

export function literatureQueue(base: string): string {
  return `${base}.literature`;
}

export function graderQueue(base: string): string {
  return `${base}.grader`;
}
