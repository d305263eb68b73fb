import { skippedTimes } from '../../../core/nightly/skipped-times';

const FROM = Date.UTC(2026, 0, 1);
// IANA: since 1996 the EU's clocks go forward at 01:00 UTC of March's last Sunday; the USA's, since 2007, at 02:00 of its second.
test.each([
  ['30 2 * * *', 'Europe/Berlin', ['2026-03-29 02:30']],
  ['0,30 2,3 * * *', 'Europe/Berlin', ['2026-03-29 02:00', '2026-03-29 02:30']],
  ['0 3 * * *', 'Europe/Berlin', []],
  ['59 1 * * *', 'Europe/Berlin', []],
  ['30 2 * * 0', 'America/New_York', ['2026-03-08 02:30']],
  ['15 2 * * *', 'Australia/Lord_Howe', ['2026-10-04 02:15']], // by half an hour only
  ['45 2 * * *', 'Australia/Lord_Howe', []],
  ['30 2 * * *', 'UTC', []],
  ['*/30 2 * * *', 'Europe/Berlin', []],
  ['0 30 2 * * * 2026', 'Europe/Berlin', []], // its first field is seconds
  ['@daily', 'Europe/Berlin', []],
])('of %s in %s in 2026 %j never come', (cron, timeZone, expected) => {
  expect(skippedTimes({ cron, timeZone }, FROM).map(({ day, time }) => `${day} ${time}`)).toEqual(expected);
});
