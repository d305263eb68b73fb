import { Client, type QueryConfig } from 'pg';

/** Runs of a text before it is prepared: what is asked a few times only would fill Postgres' memory with plans. */
const RUNS_BEFORE = 5;

/** Texts that are counted. */
const MOST_TEXTS = 500;

/** A longer text is that of a large INSERT, which rarely comes twice: it must not take the place of another. */
const MOST_CHARACTERS = 4_000;

/**
 * "cached plan must not change result type": a migration has given a table another column since; and "prepared
 * statement does not exist": somebody, a pooler for example, has dropped it.
 */
const PLAN_IS_GONE = ['0A000', '26000'];

/** "cannot execute … in a read-only transaction". */
const ONLY_READS = '25006';

/** "current transaction is aborted". */
const TRANSACTION_HAS_FAILED = '25P02';

// pg's own signature of `query` is a dozen overloads; Kysely uses the one with a text and its values.
// biome-ignore lint/suspicious/noExplicitAny: as above
type Ask = (...given: any[]) => any;

/**
 * A connection that prepares the statements that come again and again, so that Postgres parses and plans them once a
 * connection instead of at every call. Results are the same. (A pooler in between has to know prepared statements:
 * docs/guide/operations.md.)
 */
export class PreparingClient extends Client {
  /** The server has refused to write. */
  onlyReads = false;

  // biome-ignore lint/suspicious/noExplicitAny: as above
  override query(...given: any[]): any {
    const answer = this.prepareAndAsk(given);
    // Whoever asked hears of it too.
    if (answer instanceof Promise) {
      answer.catch((error: unknown) => {
        if (codeOf(error) === ONLY_READS) this.onlyReads = true;
      });
    }
    return answer;
  }

  private prepareAndAsk(given: unknown[]): unknown {
    const ask: Ask = super.query.bind(this);
    const [text, values] = given as [unknown, unknown];
    // Without values a text may hold several statements, which cannot be prepared.
    if (typeof text !== 'string' || !Array.isArray(values) || values.length === 0) return ask(...given);
    const statement = given.length === 2 ? countRun(text) : null;
    return statement === null ? ask(...given) : askPrepared(ask, statement, { text, values });
  }
}

async function askPrepared(ask: Ask, statement: Statement, query: QueryConfig): Promise<unknown> {
  const name = nameOf(statement);
  try {
    return await ask({ ...query, name });
  } catch (error) {
    if (!PLAN_IS_GONE.includes(codeOf(error) ?? '')) throw error;
    if (nameOf(statement) === name) statement.version += 1;
    try {
      return await ask({ ...query, name: nameOf(statement) }); // under a name that is new it is planned anew
    } catch (second) {
      // In a transaction, which has failed with the first, nothing helps: the first says why.
      throw codeOf(second) === TRANSACTION_HAS_FAILED ? error : second;
    }
  }
}

function codeOf(error: unknown): string | undefined {
  return (error as { code?: string }).code;
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
    if (statements.size >= MOST_TEXTS || text.length > MOST_CHARACTERS) return null;
    statement = { id: statements.size + 1, version: 1, runs: 0 };
    statements.set(text, statement);
  }
  statement.runs += 1;
  return statement.runs > RUNS_BEFORE ? statement : null;
}
