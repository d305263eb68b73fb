import { BenchTakenOver } from './benches';
import type { Database } from './database';

/**
 * Writes what only the bench's owner may write: all of it, or nothing where another workflow has taken the bench over.
 * A take-over waits for writes that have begun, so no late one can land after it.
 * @param write with the transaction it is to use
 * @param lock `update` where `write` changes the bench's own row: two that share it could not both go on to that
 * @throws BenchTakenOver
 */
export async function writeAsOwner<T>(
  db: Database,
  { benchId, epoch }: { benchId: string; epoch: number },
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
