/** Why a workflow was ended in Temporal: a resume has its bench now. Read by whoever followed the one that was ended. */
export function takeOverReason(benchId: string, workflowId: string): string {
  return `taken over by a resume of ${benchId}: workflow ${workflowId}`;
}

/** The workflow that a reason names as the bench's new one; null when the reason is another. */
export function readTakeOverReason(reason: string): string | null {
  return /^taken over by a resume of \S+: workflow (.+)$/s.exec(reason)?.[1] ?? null;
}
