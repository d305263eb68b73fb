import { Client, type QueryConfig } from 'pg';

/** Runs of a text before it is prepared: what is asked a few times only would fill Postgres' memory with plans. */
const RUNS_BEFORE = 5;

/** Texts that are counted; those of a great insert, with a length of their own each, must not push out the others. */
const MOST_TEXTS = 500;

/** "cached plan must not change result type": a migration has given a table another column since. */
const PLAN_IS_STALE = '0A000';

// pg's own signature of `query` is a dozen overloads; Kysely uses the one with a text and its values.
// biome-ignore lint/suspicious/noExplicitAny: as above
type Ask = (...given: any[]) => any;

/**
 * A connection that prepares the statements that come again and again, so that Postgres parses and plans them once a
 * connection instead of at every call. Results are the same. (A pooler in between has to know prepared statements:
 * docs/guide/operations.md.)
 */
export class PreparingClient extends Client {
  // biome-ignore lint/suspicious/noExplicitAny: as above
  override query(...given: any[]): any {
    const ask: Ask = super.query.bind(this);
    const [text, values] = given as [unknown, unknown];
    if (typeof text !== 'string' || !Array.isArray(values) || given.length > 2) return ask(...given);
    const statement = countRun(text);
    if (statement === null) return ask(text, values);
    return askPrepared(ask, statement, { text, values });
  }
}

async function askPrepared(ask: Ask, statement: Statement, query: QueryConfig): Promise<unknown> {
  const name = nameOf(statement);
  try {
    return await ask({ ...query, name });
  } catch (error) {
    if ((error as { code?: string }).code !== PLAN_IS_STALE) throw error;
    if (nameOf(statement) === name) statement.version += 1;
    // Under a name that is new it is planned anew; in a transaction, which has failed with it, nothing helps.
    return ask({ ...query, name: nameOf(statement) }).catch(() => {
      throw error;
    });
  }
}

/** A text that is prepared, or will be when it has come more often. */
interface Statement {
  id: number;
  version: number;
  runs: number;
}

/** Of this process: all its connections give a text one name. */
const statements = new Map<string, Statement>();

function nameOf({ id, version }: Statement): string {
  return `bench_${id}_${version}`;
}

/** @returns null where the text is not worth preparing, so far or at all */
function countRun(text: string): Statement | null {
  let statement = statements.get(text);
  if (!statement) {
    if (statements.size >= MOST_TEXTS) return null;
    statement = { id: statements.size + 1, version: 1, runs: 0 };
    statements.set(text, statement);
  }
  statement.runs += 1;
  return statement.runs > RUNS_BEFORE ? statement : null;
}
