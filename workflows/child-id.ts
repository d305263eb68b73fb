import { uuid4 } from '@temporalio/workflow';

/**
 * A child's workflow id: its own name and 8 characters that are the same whenever this run is replayed, and others
 * once it was reset. A run reset from before the child's start must not meet the old child, which runs on; one reset
 * from after it must name that same child again. (The run id would not do: it is another at once after a reset.)
 */
export function childId(name: string): string {
  return `${name}-${uuid4().slice(0, 8)}`;
}
