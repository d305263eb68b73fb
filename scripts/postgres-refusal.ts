import type { CliErrorDetails } from './cli-error';

/** What keeps Postgres from doing what a command asks, and what its user may do about it, by SQLSTATE. */
const REFUSALS: Readonly<Record<string, readonly [reason: string, remedy: string]>> = {
  '25006': [
    'Postgres takes no changes: it is a standby, or was set to only read',
    'name the one that does in DATABASE_URL',
  ],
  '25P03': ['Postgres has ended a transaction', "raise the role's idle_in_transaction_session_timeout"],
  '25P04': ['Postgres has ended a transaction', "raise the role's transaction_timeout"],
  '42501': [
    'Postgres does not let this role do that',
    'set DATABASE_OWNER_URL and DATABASE_URL to the roles that may',
  ],
  '53100': ['the disk of Postgres is full', 'make room there; a bench that runs waits for it, and goes on'],
  '53200': ['Postgres has no memory left', 'give it more; a bench that runs waits for it, and goes on'],
  '53300': [
    'Postgres has no connection to spare',
    "raise max_connections, or the role's limit; a bench that runs waits for one",
  ],
  '55P03': ['Postgres has waited too long for a lock', "try again; or raise the role's lock_timeout"],
  '57014': ['Postgres has ended a statement at a time limit', "raise the role's statement_timeout"],
};

/** A cause and a remedy; null: it is no error of Postgres', or one of this program's making. */
export function postgresRefusal(error: unknown): CliErrorDetails | null {
  const { code, message } = Object(error) as { code?: unknown; message?: unknown };
  const known = typeof code === 'string' && Object.hasOwn(REFUSALS, code) ? REFUSALS[code] : undefined;
  return known ? { reason: `${known[0]} (${message})`, remedy: known[1] } : null;
}
