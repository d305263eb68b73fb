import { openDatabase } from '../../db/database';
import { migrateToLatest } from '../../db/migrate';
import { loadDataSet } from '../../db/scipivot-sets';
import { withRowsOf } from '../bench/bench-connection';
import { CliError } from '../cli-error';
import { reportProgress } from '../report-progress';
import { ensureStack } from '../stack/ensure-stack';
import { givenDatabase } from '../stack/given-database';
import { type DataSetOptions, readDataSetFiles } from './data-set-files';

export interface LoadedDataSet {
  name: string;
  nCases: number;
  isPinned: boolean;
  /** False: the same content stood under this name already. */
  isNew: boolean;
}

/**
 * Brings an exported data set into the database, as the role that owns the tables; the references where the grader's
 * role alone can read them.
 * @throws CliError when the name stands for another content
 */
export async function loadFromFiles(options: DataSetOptions): Promise<LoadedDataSet> {
  const { set, warnings } = await readDataSetFiles(options);
  for (const warning of warnings) process.stderr.write(`warning: ${warning}\n`);
  const stack = await ensureStack({ report: reportProgress });
  if (!givenDatabase()) await migrateToLatest(stack.databaseUrls.owner);
  // Refuses an older schema, and says what mends it.
  await withRowsOf(stack, async () => {});
  const owner = openDatabase(stack.databaseUrls.owner, { maxConnections: 1 });
  try {
    const outcome = await loadDataSet(owner, set);
    if (outcome === 'other') {
      throw new CliError({
        reason: `--name: ${set.name} is loaded with other prompts or references, and a name stands for one content`,
        remedy: 'give another name',
      });
    }
    const { name, isPinned, key } = set;
    return { name, isPinned, nCases: key.references.length, isNew: outcome === 'loaded' };
  } finally {
    await owner.destroy();
  }
}
