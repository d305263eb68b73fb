import { setTimeout as sleep } from 'node:timers/promises';
import DataLoader from 'dataloader';
import { BoundedMap } from '../core/bounded-map';
import type { Database } from './database';

/** Items of one question. */
const MOST_AT_ONCE = 100;

/** A longer text, in UTF-16 units, is asked about alone: a statement holds `MOST_AT_ONCE` of those that share one. */
export const LONG_TEXT = 200_000;

/** Groups that are known at once. One that is forgotten while it asks does no harm: the next is not gathered with it. */
const MOST_GROUPS = 500;

/** How long a group waits for the answer before. A connection that hangs must not keep the others waiting. */
const PATIENCE_MS = 1_000;

/** One question about several items: their answers in their order, an Error where one has none. */
export type AskAll<Item, Answer> = (db: Database, items: readonly Item[]) => Promise<(Answer | Error)[]>;

/**
 * Turns a question about several items into one about a single item. While one question is out, what is asked
 * meanwhile is gathered into the next: an item that comes alone is asked at once; fifty calls that end at the same
 * moment cost one statement and one commit instead of fifty.
 * @param groupOf items of one group may share a question; null: this one is asked alone
 * @returns throws what the question threw, or the item's own Error. Where a question fails because of its data,
 *   each item is asked alone: one that Postgres refuses, or we cannot read, is nobody else's fault.
 */
export function askedTogether<Item, Answer>(
  groupOf: (item: Item) => string | null,
  askAll: AskAll<Item, Answer>,
): (db: Database, item: Item) => Promise<Answer> {
  const groupsOf = new WeakMap<Database, BoundedMap<string, DataLoader<Item, Answer>>>();
  return async (db, item) => {
    const name = groupOf(item);
    if (name === null) return askOne(db, item, askAll);
    const groups = groupsOf.get(db) ?? new BoundedMap(MOST_GROUPS);
    groupsOf.set(db, groups);
    const group = groups.get(name) ?? openGroup(db, askAll);
    groups.set(name, group);
    return group.load(item);
  };
}

function openGroup<Item, Answer>(db: Database, askAll: AskAll<Item, Answer>): DataLoader<Item, Answer> {
  let before: Promise<unknown> = Promise.resolve();
  return new DataLoader<Item, Answer>(
    (items) => {
      const answers = askTogetherOrEach(db, items, askAll);
      before = Promise.race([answers.catch(() => {}), sleep(PATIENCE_MS, undefined, { ref: false })]);
      return answers;
    },
    {
      cache: false,
      maxBatchSize: MOST_AT_ONCE,
      // Not before this turn of the event loop has ended: what one turn asks belongs together.
      batchScheduleFn: (ask) => void before.then(() => setImmediate(ask)),
    },
  );
}

async function askTogetherOrEach<Item, Answer>(
  db: Database,
  items: readonly Item[],
  askAll: AskAll<Item, Answer>,
): Promise<(Answer | Error)[]> {
  try {
    return await askAll(db, items);
  } catch (error) {
    if (items.length === 1 || !(isOfItsData(error) || isOurFault(error))) throw error;
    return Promise.all(items.map((item) => askOne(db, item, askAll).catch((own: unknown) => own as Error)));
  }
}

async function askOne<Item, Answer>(db: Database, item: Item, askAll: AskAll<Item, Answer>): Promise<Answer> {
  const [answer] = await askAll(db, [item]);
  if (answer instanceof Error) throw answer;
  return answer as Answer;
}

/**
 * SQLSTATE: a value that cannot be (class 22), a constraint (23), a deadlock (40), which takes several rows, too much for
 * one statement (54).
 */
function isOfItsData(error: unknown): boolean {
  return /^(22|23|40|54)...$/.test((error as { code?: string }).code ?? '');
}

/** A row or a text that we cannot make anything of. */
function isOurFault(error: unknown): boolean {
  return error instanceof TypeError || error instanceof RangeError;
}
