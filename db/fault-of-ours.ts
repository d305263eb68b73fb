import { NoResultError } from 'kysely';
import { BrokenInvariant } from '../core/broken-invariant';

/**
 * Whether trying again would meet the same fault: a broken invariant, a row that is not there, an error of the program
 * itself, or a statement that Postgres cannot carry out with what it was given (SQLSTATE classes 22, 23 and 42). Not a row
 * that another writer was first with (23505), and not what the network throws under the name TypeError, which has a cause.
 */
export function isFaultOfOurs(error: unknown): boolean {
  if (error instanceof BrokenInvariant || error instanceof NoResultError) return true;
  const { name = '', code, cause } = error as { name?: string; code?: unknown; cause?: unknown };
  if (typeof code === 'string' && !code.startsWith('ERR_')) {
    return code !== '23505' && /^(22|23|42)...$/.test(code);
  }
  return /^(Type|Range|Syntax|Reference|Assertion)Error$/.test(name) && cause === undefined;
}
