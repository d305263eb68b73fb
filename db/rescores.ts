import { type Expression, sql } from 'kysely';
import { compareText } from '../core/compare-text';
import type { GoldSet } from '../core/gold-set';
import type { RecordedRescore } from '../core/report/recorded-bench';
import type { Database } from './database';
import { toJsonb } from './storable-text';

/** Another set stands under this name and version: what was scored by it would be lost. */
export class GoldSetDiffers extends Error {
  constructor(
    readonly goldSet: string,
    readonly version: number,
  ) {
    super(`a set ${goldSet} of version ${version} with other entities is stored already`);
    this.name = 'GoldSetDiffers';
  }
}

/**
 * Keeps a rescore; one by the very same set is replaced, since a bench that was resumed may have more hypotheses.
 * @param db as a role that may write what was graded: bench_grader, where roles are split
 * @throws GoldSetDiffers
 */
export async function saveRescore(
  db: Database,
  benchId: string,
  rescore: Omit<RecordedRescore, 'rescoredAt'>,
): Promise<void> {
  const { goldSet, origin, candidates, hits } = rescore;
  await db.transaction().execute(async (tx) => {
    // The role that rescores may not lock the bench's row; two callers must not both find nothing stored.
    await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`rescore ${benchId}`}, 0))`.execute(tx);
    const stored = await tx
      .selectFrom('bench_rescores')
      .select('definition')
      .where('bench_id', '=', benchId)
      .where('gold_set', '=', goldSet.name)
      .where('version', '=', goldSet.version)
      .executeTakeFirst();
    if (stored && !isSameSet(stored.definition, goldSet)) {
      throw new GoldSetDiffers(goldSet.name, goldSet.version);
    }
    const values = {
      candidates: toJsonb(candidates),
      hits: toJsonb(hits),
      rescored_at: sql<Date>`clock_timestamp()`,
    };
    await tx
      .insertInto('bench_rescores')
      .values({
        ...{ bench_id: benchId, gold_set: goldSet.name, version: goldSet.version, origin },
        definition: toJsonb(goldSet),
        ...values,
      })
      .onConflict((conflict) => conflict.columns(['bench_id', 'gold_set', 'version']).doUpdateSet(values))
      .execute();
  });
}

/** By name and version of the set. */
export async function readRescores(db: Database, benchId: string): Promise<RecordedRescore[]> {
  const rows = await db
    .selectFrom('bench_rescores')
    .select(['definition as goldSet', 'origin', 'candidates', 'hits'])
    .select((eb) => utc(eb.ref('rescored_at')).as('rescoredAt'))
    .where('bench_id', '=', benchId)
    .execute();
  return rows.sort(
    ({ goldSet: one }, { goldSet: other }) =>
      compareText(one.name, other.name) || one.version - other.version,
  );
}

/** Copies of what another database has. */
export async function insertRescores(
  db: Database,
  benchId: string,
  rescores: readonly RecordedRescore[],
): Promise<void> {
  if (rescores.length === 0) return;
  await db
    .insertInto('bench_rescores')
    .values(
      rescores.map(({ goldSet, origin, candidates, hits, rescoredAt }) => ({
        ...{ bench_id: benchId, gold_set: goldSet.name, version: goldSet.version, origin },
        ...{ definition: toJsonb(goldSet), candidates: toJsonb(candidates), hits: toJsonb(hits) },
        rescored_at: rescoredAt,
      })),
    )
    .execute();
}

function isSameSet(one: GoldSet, other: GoldSet): boolean {
  return JSON.stringify(one) === toJsonb(other);
}

function utc(moment: Expression<Date>) {
  return sql<string>`to_char(${moment} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
}
