import { type RawBuilder, sql } from 'kysely';
import { BenchTakenOver } from './benches';
import type { Database } from './database';

/** Whose a write is. */
export interface Owner {
  benchId: string;
  epoch: number;
}

/**
 * Writes what only the bench's owner may write: all of it, or nothing where another workflow has taken the bench over.
 * A take-over waits for writes that have begun, so no late one can land after it.
 * @param write with the transaction it is to use
 * @param lock `update` where `write` changes the bench's own row: two that share it could not both go on to that
 * @throws BenchTakenOver
 */
export async function writeAsOwner<T>(
  db: Database,
  { benchId, epoch }: Owner,
  write: (tx: Database) => Promise<T>,
  lock: 'share' | 'update' = 'share',
): Promise<T> {
  return db.transaction().execute(async (tx) => {
    const bench = tx.selectFrom('bench_runs').select('epoch').where('id', '=', benchId);
    const row = await (lock === 'share' ? bench.forShare() : bench.forNoKeyUpdate()).executeTakeFirst();
    if (row?.epoch !== epoch) throw new BenchTakenOver(benchId, epoch, row?.epoch ?? null);
    return write(tx);
  });
}

/**
 * The same of a single statement, in one question instead of four: for what is written at every call.
 * @param write a statement that changes nothing unless `isOwner` holds, a condition for its WHERE
 * @returns whether a row was changed
 * @throws BenchTakenOver
 */
export async function changeAsOwner(
  db: Database,
  { benchId, epoch }: Owner,
  write: (isOwner: RawBuilder<boolean>) => Promise<bigint>,
): Promise<boolean> {
  const isOwner = sql<boolean>`EXISTS (
    SELECT FROM bench_runs WHERE id = ${benchId} AND epoch = ${epoch} FOR SHARE)`;
  if ((await write(isOwner)) > 0n) return true;
  // Nothing to change, or not ours to change: which, the bench tells.
  await writeAsOwner(db, { benchId, epoch }, async () => {});
  return false;
}
