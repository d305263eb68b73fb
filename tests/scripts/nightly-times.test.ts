import { Client, Connection } from '@temporalio/client';
import { skippedTimes } from '../../core/nightly/skipped-times';
import { createSchedule, scheduleIdOf } from '../../scripts/nightly/schedule';
import { testTemporal } from '../stack/test-temporal';

const timeZone = 'Europe/Berlin';
let client: Client;
beforeAll(async () => {
  const { address, namespace } = testTemporal();
  client = new Client({ connection: await Connection.connect({ address }), namespace });
});
afterAll(() => client.connection.close());

/** When Temporal begins nights, by the clocks of Berlin: from noon of the first day to noon of the last. */
async function nightsBetween(cron: string, days: readonly [string, string]): Promise<string[]> {
  const name = `times-${process.pid}`;
  await createSchedule(client, name, { cron, timeZone });
  const [from, to] = days.map((day) => ({ seconds: (Date.parse(`${day}T11:00:00Z`) / 1_000) as never }));
  const { startTime } = await client.workflowService.listScheduleMatchingTimes({
    namespace: client.options.namespace,
    scheduleId: scheduleIdOf(name),
    startTime: from!,
    endTime: to!,
  });
  await client.schedule.getHandle(scheduleIdOf(name)).delete();
  const berlin = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' });
  return (startTime ?? []).map(({ seconds }) => berlin.format(Number(seconds) * 1_000));
}

test.each([
  ['2026-03-27', '2026-03-30', ['2026-03-28', '2026-03-29', '2026-03-30']],
  ['2026-10-23', '2026-10-26', ['2026-10-24', '2026-10-25', '2026-10-26']],
])('at 03:00 Berlin has 3 nights from %s to %s, over the change of its clocks', async (from, to, days) => {
  expect(await nightsBetween('0 3 * * *', [from, to])).toEqual(days.map((day) => `${day} 03:00`));
});

test('at 02:30 the night of 2026-03-29, which has no such time, is lost as it was said; that of 2026-10-25, which has it twice, is 1', async () => {
  const cron = '30 2 * * *';
  expect(await nightsBetween(cron, ['2026-03-27', '2026-03-30'])).toEqual([
    '2026-03-28 02:30',
    '2026-03-30 02:30',
  ]);
  expect(skippedTimes({ cron, timeZone }, Date.UTC(2026, 0, 1))).toEqual([
    { day: '2026-03-29', time: '02:30' },
  ]);
  expect(await nightsBetween(cron, ['2026-10-24', '2026-10-26'])).toEqual([
    '2026-10-25 02:30',
    '2026-10-26 02:30',
  ]);
});
