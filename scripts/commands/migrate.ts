import { CliError } from '../cli-error';
import type { CliCommand } from '../command';
import { reportProgress } from '../report-progress';

export const migrate: CliCommand = {
  name: 'migrate',
  register: (program) =>
    program
      .command('migrate')
      .description('Bring the schema of the database up to date')
      .addHelpText(
        'after',
        '\nDATABASE_OWNER_URL, or DATABASE_URL without it, must name a role that may create\ntables; without both the local Postgres is migrated.',
      )
      .action(async () => {
        const { migrateToLatest } = require('../../db/migrate') as typeof import('../../db/migrate');
        const { placeOf } = require('../stack/given-database') as typeof import('../stack/given-database');
        const url = await ownerUrl();
        try {
          const { applied } = await migrateToLatest(url);
          process.stdout.write(
            applied.length > 0 ? `migrated: ${applied.join(', ')}\n` : 'the schema is up to date\n',
          );
        } catch (error) {
          throw new CliError({
            reason: `the migrations of ${placeOf(url)} failed: ${(error as Error).message}`,
            remedy:
              'DATABASE_OWNER_URL must name a role that may create tables; the database is as it was before',
            error,
          });
        }
      }),
};

/** A database of the user's own needs no Temporal beside it. */
async function ownerUrl(): Promise<string> {
  const { checkGivenDatabase, givenDatabase } =
    require('../stack/given-database') as typeof import('../stack/given-database');
  const given = givenDatabase();
  if (given) {
    await checkGivenDatabase(given);
    return given.owner;
  }
  const { ensureStack } = require('../stack/ensure-stack') as typeof import('../stack/ensure-stack');
  return (await ensureStack({ report: reportProgress })).databaseUrls.owner;
}
