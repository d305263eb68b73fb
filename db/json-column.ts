import type { ColumnType } from 'kysely';

/** jsonb: written as a string that is JSON already, read as the value. */
export type Json<T> = ColumnType<T, string, string>;
/** The same where the column may be null. */
export type MaybeJson<T> = ColumnType<T | null, string | null | undefined, string | null>;
