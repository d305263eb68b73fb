import { Client, type QueryConfig } from 'pg';

/** Runs of a text before it is prepared: what is asked a few times only would fill Postgres' memory with plans. */
const RUNS_BEFORE = 5;

/** Texts that are counted; those of a great insert, with a length of their own each, must not push out the others. */
const MOST_TEXTS = 500;

/** Of this process, so that all its connections give a text one name. */
const texts = new Map<string, { name: string; runs: number }>();

/**
 * A connection that prepares the statements that come again and again, so that Postgres parses and plans them once a
 * connection instead of at every call. Results are the same. (Behind PgBouncer in transaction mode this needs its
 * `max_prepared_statements`, on by default since 1.24.)
 */
export class PreparingClient extends Client {
  // pg's own signature is a dozen overloads; Kysely uses the one with a text and its values.
  // biome-ignore lint/suspicious/noExplicitAny: as above
  override query(...given: any[]): any {
    const [text, values] = given as [unknown, unknown];
    const name = typeof text === 'string' && Array.isArray(values) ? nameOf(text) : null;
    // biome-ignore lint/suspicious/noExplicitAny: as above
    const ask = super.query as (...given: any[]) => any;
    if (name === null) return ask.apply(this, given);
    const prepared: QueryConfig = { name, text: text as string, values: values as unknown[] };
    return ask.call(this, prepared, ...given.slice(2));
  }
}

function nameOf(text: string): string | null {
  let known = texts.get(text);
  if (!known) {
    if (texts.size >= MOST_TEXTS) return null;
    known = { name: `bench_${texts.size + 1}`, runs: 0 };
    texts.set(text, known);
  }
  known.runs += 1;
  return known.runs > RUNS_BEFORE ? known.name : null;
}
