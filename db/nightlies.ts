import { sql } from 'kysely';
import type { BenchInput } from '../core/bench-input';
import type { Panel } from '../core/nightly/panel';
import type { BenchOwner } from './benches';
import type { Database } from './database';
import { toJsonb } from './storable-text';

/** A nightly as it was created, with the baseline in force. */
export interface Nightly {
  id: string;
  name: string;
  input: BenchInput;
  budgetUsd: number;
  alpha: number;
  seed: number;
  onRegression: OnRegression | null;
  baseline: number;
  createdAt: Date;
}

export interface OnRegression {
  kind: 'command' | 'webhook';
  /** A command line, a URL, or `env:NAME`: where the worker finds it. */
  target: string;
}

export interface Baseline extends Panel {
  pinnedBench: string | null;
}

/** A night that has begun. */
export interface NightRef {
  nightlyId: string;
  night: number;
  kind: 'baseline' | 'measured';
  baseline: number;
}

/**
 * @param panel with the bench it is from; null: the first night plays it
 * @param begin what has to succeed before anybody sees the nightly; when it throws, nothing is written
 * @returns what was begun; null when there is one of this name: then nothing was
 */
export async function createNightly<Begun>(
  db: Database,
  nightly: Omit<Nightly, 'baseline' | 'createdAt'>,
  panel: Baseline | null,
  begin: () => Promise<Begun>,
): Promise<{ begun: Begun } | null> {
  return db.transaction().execute(async (tx) => {
    const result = await tx
      .insertInto('bench_nightlies')
      .values({
        id: nightly.id,
        name: nightly.name,
        input: JSON.stringify(nightly.input),
        budget_usd: nightly.budgetUsd,
        alpha: nightly.alpha,
        seed: nightly.seed,
        on_regression_kind: nightly.onRegression?.kind ?? null,
        on_regression: nightly.onRegression?.target ?? null,
      })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    const isNew = (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
    if (!isNew) return null;
    if (panel) await saveBaseline(tx, nightly.id, 1, panel);
    return { begun: await begin() };
  });
}

/** Those that are not deleted, by name. */
export async function readNightlies(db: Database): Promise<Nightly[]> {
  const rows = await selectNightlies(db).where('deleted_at', 'is', null).orderBy('name').execute();
  return rows.map(toNightly);
}

export async function findNightly(db: Database, name: string): Promise<Nightly | undefined> {
  const row = await selectNightlies(db)
    .where('deleted_at', 'is', null)
    .where('name', '=', name)
    .executeTakeFirst();
  return row && toNightly(row);
}

export async function readNightly(db: Database, id: string): Promise<Nightly> {
  return toNightly(await selectNightlies(db).where('id', '=', id).executeTakeFirstOrThrow());
}

/** Until the transaction ends, nobody else judges a night of it. */
export async function lockNightly(tx: Database, id: string): Promise<void> {
  await tx.selectFrom('bench_nightlies').select('id').where('id', '=', id).forNoKeyUpdate().execute();
}

/** Its nights and their benches stay. */
export async function deleteNightly(db: Database, id: string): Promise<void> {
  await db
    .updateTable('bench_nightlies')
    .set({ deleted_at: sql<Date>`clock_timestamp()` })
    .where('id', '=', id)
    .execute();
}

/** undefined: the first night has not played it yet. */
export async function readBaseline(
  db: Database,
  nightlyId: string,
  baseline: number,
): Promise<Baseline | undefined> {
  return db
    .selectFrom('bench_nightly_baselines')
    .select(['pinned_bench as pinnedBench', 'opponents', 'anchors'])
    .where('nightly_id', '=', nightlyId)
    .where('baseline', '=', baseline)
    .executeTakeFirst();
}

/** Written once: a panel is frozen. */
export async function saveBaseline(
  db: Database,
  nightlyId: string,
  baseline: number,
  { pinnedBench, opponents, anchors }: Baseline,
): Promise<void> {
  await db
    .insertInto('bench_nightly_baselines')
    .values({
      nightly_id: nightlyId,
      baseline,
      pinned_bench: pinnedBench,
      opponents: toJsonb(opponents),
      anchors: toJsonb(anchors),
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/**
 * From the next night on all is held against this baseline, and the evidence begins anew.
 * @returns its number
 */
export async function acceptBaseline(db: Database, nightlyId: string, panel: Baseline): Promise<number> {
  return db.transaction().execute(async (tx) => {
    const { baseline } = await tx
      .updateTable('bench_nightlies')
      .set((eb) => ({ baseline: eb('baseline', '+', 1) }))
      .where('id', '=', nightlyId)
      .returning('baseline')
      .executeTakeFirstOrThrow();
    await saveBaseline(tx, nightlyId, baseline, panel);
    return baseline;
  });
}

/** The night that this workflow is, begun now or when it was first asked for. */
export async function openNight(db: Database, { id }: Nightly, owner: BenchOwner): Promise<NightRef> {
  return db.transaction().execute(async (tx) => {
    // Two that begin at once get two numbers.
    const nightly = await tx
      .selectFrom('bench_nightlies')
      .select('baseline')
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirstOrThrow();
    const known = await findNightOfOwner(tx, owner);
    if (known) return known;
    const panel = await readBaseline(tx, id, nightly.baseline);
    const { last } = await tx
      .selectFrom('bench_nights')
      .select((eb) => eb.fn.coalesce(eb.fn.max('night'), eb.lit(0)).as('last'))
      .where('nightly_id', '=', id)
      .executeTakeFirstOrThrow();
    const night: NightRef = {
      nightlyId: id,
      night: last + 1,
      kind: panel ? 'measured' : 'baseline',
      baseline: nightly.baseline,
    };
    await tx
      .insertInto('bench_nights')
      .values({
        nightly_id: id,
        night: night.night,
        kind: night.kind,
        baseline: night.baseline,
        namespace: owner.namespace,
        workflow_id: owner.workflowId,
        first_run_id: owner.firstRunId,
      })
      .execute();
    return night;
  });
}

async function findNightOfOwner(db: Database, owner: BenchOwner): Promise<NightRef | undefined> {
  return selectNights(db)
    .where('namespace', '=', owner.namespace)
    .where('workflow_id', '=', owner.workflowId)
    .where('first_run_id', '=', owner.firstRunId)
    .executeTakeFirst();
}

/** Names the bench of the night that this owner has begun; whoever owns it later, it stays that night's. */
export async function linkNight(db: Database, owner: BenchOwner, benchId: string): Promise<void> {
  await db
    .updateTable('bench_nights')
    .set({ bench_id: benchId })
    .where('namespace', '=', owner.namespace)
    .where('workflow_id', '=', owner.workflowId)
    .where('first_run_id', '=', owner.firstRunId)
    .where('bench_id', 'is', null)
    .execute();
}

/** The night that a bench is; undefined: it is a bench of its own. */
export async function findNight(db: Database, benchId: string): Promise<NightRef | undefined> {
  return selectNights(db).where('bench_id', '=', benchId).executeTakeFirst();
}

function selectNights(db: Database) {
  return db.selectFrom('bench_nights').select(['nightly_id as nightlyId', 'night', 'kind', 'baseline']);
}

function selectNightlies(db: Database) {
  return db
    .selectFrom('bench_nightlies')
    .select(['id', 'name', 'input', 'budget_usd', 'alpha', 'seed', 'baseline', 'created_at'])
    .select(['on_regression_kind', 'on_regression']);
}

type NightlyRow = Awaited<ReturnType<ReturnType<typeof selectNightlies>['executeTakeFirstOrThrow']>>;

function toNightly(row: NightlyRow): Nightly {
  const { on_regression_kind: kind, on_regression: target } = row;
  return {
    id: row.id,
    name: row.name,
    input: JSON.parse(row.input) as BenchInput,
    budgetUsd: row.budget_usd,
    alpha: row.alpha,
    seed: row.seed,
    onRegression: kind !== null && target !== null ? { kind, target } : null,
    baseline: row.baseline,
    createdAt: row.created_at,
  };
}
