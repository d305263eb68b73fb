import { compareText } from '../core/compare-text';
import type { Order } from '../core/ids';
import type { Reference } from '../core/scipivot/public-case';
import type { Database } from './database';
import { insertParts } from './insert-parts';
import type { KeysTable, SetsTable } from './scipivot-tables';

/** A data set as it is brought in: the public half and the grader's. */
export interface NewDataSet {
  name: string;
  isPinned: boolean;
  prompts: { sha256: string; bytes: number; sessions: { caseId: string; order: Order; prompt: string }[] };
  key: { sha256: string; bytes: number; revision: string; references: Reference[] };
}

/**
 * Brings a data set in, whole or not at all. A name stands for one content for good.
 * @param db as the role that owns the tables: no worker's
 * @returns `known`: it stood there with the same content; `other`: with another one, and nothing was written
 */
export async function loadDataSet(db: Database, set: NewDataSet): Promise<'loaded' | 'known' | 'other'> {
  return db.transaction().execute(async (tx) => {
    const inserted = await tx
      .insertInto('bench_scipivot_sets')
      .values({
        name: set.name,
        n_cases: set.key.references.length,
        prompts_sha256: set.prompts.sha256,
        prompts_bytes: set.prompts.bytes,
        is_pinned: set.isPinned,
      })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .executeTakeFirst();
    if ((inserted.numInsertedOrUpdatedRows ?? 0n) === 0n) {
      if (!(await isPublicHalf(tx, set))) return compareWithKnown(tx, set);
    } else {
      await insertPrompts(tx, set);
    }
    await insertKey(tx, set);
    return 'loaded';
  });
}

/** Whether the same prompts are here and no references: an imported bench brought them. */
async function isPublicHalf(db: Database, { name, prompts }: NewDataSet): Promise<boolean> {
  const known = await db
    .selectFrom('bench_scipivot_sets')
    .leftJoin('bench_scipivot_keys', 'set_name', 'name')
    .select(['prompts_sha256', 'set_name'])
    .where('name', '=', name)
    .executeTakeFirst();
  return known?.prompts_sha256 === prompts.sha256 && known.set_name === null;
}

async function compareWithKnown(
  db: Database,
  { name, prompts, key }: NewDataSet,
): Promise<'known' | 'other'> {
  const known = await db
    .selectFrom('bench_scipivot_sets')
    .innerJoin('bench_scipivot_keys', 'bench_scipivot_keys.set_name', 'bench_scipivot_sets.name')
    .select(['prompts_sha256', 'references_sha256'])
    .where('name', '=', name)
    .executeTakeFirst();
  const isSame = known?.prompts_sha256 === prompts.sha256 && known.references_sha256 === key.sha256;
  return isSame ? 'known' : 'other';
}

async function insertPrompts(db: Database, { name, prompts }: NewDataSet): Promise<void> {
  const rows = prompts.sessions.map(({ caseId, order, prompt }, position) => ({
    set_name: name,
    position,
    case_id: caseId,
    order,
    prompt,
  }));
  for (const some of insertParts(rows)) await db.insertInto('bench_scipivot_prompts').values(some).execute();
}

async function insertKey(db: Database, { name, key }: NewDataSet): Promise<void> {
  await db
    .insertInto('bench_scipivot_keys')
    .values({
      set_name: name,
      revision: key.revision,
      references_sha256: key.sha256,
      references_bytes: key.bytes,
    })
    .execute();
  const rows = key.references.map(({ caseId, label }) => ({ set_name: name, case_id: caseId, label }));
  for (const some of insertParts(rows))
    await db.insertInto('bench_scipivot_references').values(some).execute();
}

export interface DataSetRow extends Pick<SetsTable, 'name'> {
  nCases: number;
  promptsSha256: string;
  isPinned: boolean;
  loadedAt: Date;
}

/** The data sets that are there, by name. */
export async function readDataSets(db: Database): Promise<DataSetRow[]> {
  const rows = await db.selectFrom('bench_scipivot_sets').selectAll().execute();
  return rows
    .map((row) => ({
      name: row.name,
      nCases: row.n_cases,
      promptsSha256: row.prompts_sha256,
      isPinned: row.is_pinned,
      loadedAt: row.loaded_at,
    }))
    .sort((one, other) => compareText(one.name, other.name));
}

export interface AnswerKey extends Omit<KeysTable, 'set_name'> {
  references: Reference[];
}

/**
 * The labels of a data set, with what their file was.
 * @param db as the grader: to any other role of a worker Postgres refuses this
 * @returns undefined when there is none
 */
export async function readAnswerKey(db: Database, name: string): Promise<AnswerKey | undefined> {
  const key = await db
    .selectFrom('bench_scipivot_keys')
    .select(['revision', 'references_sha256', 'references_bytes'])
    .where('set_name', '=', name)
    .executeTakeFirst();
  if (!key) return undefined;
  const references = await db
    .selectFrom('bench_scipivot_references')
    .select(['case_id as caseId', 'label'])
    .where('set_name', '=', name)
    .execute();
  return { ...key, references };
}
