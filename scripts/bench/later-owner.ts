import type { Database } from '../../db/database';
import { readResumable } from '../../db/resume';

/** The workflow that has the bench now, where it is another than this one; null: it is this one still, or none. */
export async function laterOwner(
  db: Database,
  { benchId, workflowId }: { benchId: string; workflowId: string },
): Promise<string | null> {
  const owner = (await readResumable(db, benchId))?.owner.workflowId ?? null;
  return owner === workflowId ? null : owner;
}
