import { openDatabase } from '../../db/database';
import { type KeyAccess, readKeyAccess, roleStatements } from '../../db/scipivot-access';
import { CliError } from '../cli-error';
import type { Stack } from '../stack/ensure-stack';

/**
 * Sees that the workers' role cannot read an answer key and the grader's can; else prints the SQL that parts them.
 * @throws CliError where they are not parted: then nothing may be run
 */
export async function refuseUnpartedRoles({ databaseUrls }: Stack): Promise<void> {
  const worker = await accessOf(databaseUrls.worker);
  const grader = await accessOf(databaseUrls.grader);
  const problem = problemOf(worker, grader);
  if (problem === null) return;
  process.stdout.write(`${roleStatements().join('\n')}\n`);
  throw new CliError({
    reason: `${problem}: nothing was started`,
    remedy: 'run the SQL above in that database once as a superuser, then set the three URLs it names',
  });
}

function problemOf(worker: KeyAccess, grader: KeyAccess): string | null {
  if (worker.readsAny) return `role ${worker.role} of the workers (DATABASE_URL) may read the references`;
  return grader.readsAll ? null : `role ${grader.role} (DATABASE_GRADER_URL) may not read the references`;
}

async function accessOf(url: string): Promise<KeyAccess> {
  const db = openDatabase(url, { maxConnections: 1 });
  try {
    return await readKeyAccess(db);
  } finally {
    await db.destroy();
  }
}
