import { join } from 'node:path';
import { countText } from '../core/report/figure-text';
import { withBenchRows } from './bench/bench-connection';
import { CliError } from './cli-error';
import { writeResultsFile } from './report/results-file';

/**
 * Writes the repository's own page of results, docs/BENCH_RESULTS.md, from the rows of the database.
 * Run: `npm run report`
 */
async function buildBenchReport(): Promise<void> {
  const path = join(__dirname, '..', 'docs', 'BENCH_RESULTS.md');
  const benches = await withBenchRows(({ db }) => writeResultsFile(db, path));
  process.stdout.write(`${path}: ${countText(benches, 'bench', 'benches')}\n`);
}

if (require.main === module) {
  buildBenchReport().catch((error: unknown) => {
    const told = error instanceof CliError;
    process.stderr.write(
      told ? `error: ${error.details.reason}\n  fix: ${error.details.remedy}\n` : `error: ${String(error)}\n`,
    );
    process.exitCode = 1;
  });
}
