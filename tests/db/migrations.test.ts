import { sql } from 'kysely';
import { openDatabase } from '../../db/database';
import { up as lockOrder } from '../../db/migrations/007-lock-order';
import { down, up } from '../../db/migrations/009-probe-overrun';
import { createTestDatabase } from '../stack/test-database';

test('009 taken back leaves the trigger that 007 has made, and made again is as it was', async () => {
  const database = await createTestDatabase();
  const owner = openDatabase<unknown>(database.ownerUrl);
  const definition = async () => {
    const { rows } = await sql<{ text: string }>`
      SELECT pg_get_functiondef('bench_hold_charge'::regproc) AS text`.execute(owner);
    return rows[0]?.text;
  };
  const latest = await definition();
  await down(owner);
  const before = await definition();
  expect(before).not.toBe(latest);
  await sql`DROP FUNCTION bench_lock_scopes() CASCADE`.execute(owner);
  await lockOrder(owner);
  expect(before).toBe(await definition());
  await up(owner);
  expect(await definition()).toBe(latest);
  await owner.destroy();
  await database.drop();
});
