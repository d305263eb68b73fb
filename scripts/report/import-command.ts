import { resolve } from 'node:path';
import { findBundles, type ReadBundle, readBundle } from '../../activities/reporting/bundle/read-bundle';
import { countText } from '../../core/report/figure-text';
import type { RecordedAttempt } from '../../core/report/recorded-bench';
import { openDatabase } from '../../db/database';
import { OpponentsMissing } from '../../db/foreign-texts';
import { BenchExists, importBench } from '../../db/import-bench';
import { DataSetDiffers } from '../../db/import-scipivot';
import { migrateToLatest } from '../../db/migrate';
import { withRowsOf } from '../bench/bench-connection';
import { printJson } from '../bench/print-result';
import { CliError } from '../cli-error';
import { reportProgress } from '../report-progress';
import { ensureStack } from '../stack/ensure-stack';
import { givenDatabase } from '../stack/given-database';
import { countWrong, problemText, verifyFolder } from './verify-command';

/**
 * Imports every bench of a folder, each whole or not at all.
 * @throws CliError when files or figures do not hold, a bench is here already, or one that it was played against is not
 */
export async function importCommand(
  dir: string,
  { isVerifying, isJson }: { isVerifying: boolean; isJson: boolean },
): Promise<void> {
  const verification = verifyFolder(dir);
  const isRefused = verification.problems.length > 0 || (isVerifying && countWrong(verification) > 0);
  if (isRefused) {
    const wrong = countWrong(verification);
    throw new CliError({
      reason: `${dir}: ${countText(wrong, 'thing does', 'things do')} not hold, so nothing was imported`,
      problems: verification.problems.map(problemText),
      remedy: remedyOf(dir, { wrong, ofFiles: verification.problems.length }),
    });
  }
  const root = resolve(dir);
  const stack = await ensureStack({ report: reportProgress });
  // A database of our own that nobody has used yet is made ready; one of the user's own is theirs to migrate.
  if (!givenDatabase()) await migrateToLatest(stack.databaseUrls.owner);
  await withRowsOf(stack, async () => {
    // The owner: gold hits are the grader's to write, everything else the worker's, and this is one transaction.
    const db = openDatabase(stack.databaseUrls.owner, { maxConnections: 2 });
    try {
      for (const place of findBundles(root)) {
        const bundle = readBundle(place, root);
        if (Array.isArray(bundle)) throw new Error(`${place.benchId}: its files have changed meanwhile`);
        await importBench(db, bundle.bench, allAttempts(bundle)).catch(explainRefusal);
      }
    } finally {
      await db.destroy();
    }
  });
  const benches = verification.benches.map(({ benchId }) => benchId);
  if (isJson) printJson({ benches });
  else process.stdout.write(benches.map((benchId) => `${benchId}: co-scientist show ${benchId}\n`).join(''));
}

function* allAttempts(bundle: ReadBundle): Generator<RecordedAttempt[]> {
  yield* bundle.attempts();
  yield* bundle.rubricAttempts();
}

function explainRefusal(error: unknown): never {
  if (error instanceof OpponentsMissing) {
    throw new CliError({
      reason: error.message,
      remedy: `export and import first: ${error.opponents.join(', ')}`,
      error,
    });
  }
  if (!(error instanceof BenchExists || error instanceof DataSetDiffers)) throw error;
  throw new CliError({
    reason: error.message,
    remedy: 'import into another database: set DATABASE_URL, or CO_SCIENTIST_HOME to an empty folder',
    error,
  });
}

/** Files that do not hold are listed by the import itself, figures by `verify`. */
function remedyOf(dir: string, { wrong, ofFiles }: { wrong: number; ofFiles: number }): string {
  if (ofFiles === 0) return `co-scientist verify ${dir} lists them; --unverified imports all the same`;
  const again = 'export the bench again from its database, if it is still there';
  return wrong === ofFiles ? again : `co-scientist verify ${dir} lists the figures too; ${again}`;
}
