import type { Migration } from 'kysely';
import * as bench from './001-bench';

/** In the order of their names. A migration that has run somewhere is never edited. */
export const migrations: Record<string, Migration> = {
  '001-bench': bench,
};
