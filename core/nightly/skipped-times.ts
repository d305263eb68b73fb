/** A time of day that a zone's clocks skip. */
export interface SkippedTime {
  /** `2027-03-28` */
  day: string;
  /** `02:30` */
  time: string;
}

const DAY_MS = 86_400_000;

/**
 * Times of a year's nights that never come, since the clocks go forward over them: Temporal begins no night then. (Where
 * they go back, it takes the second of the two.) Of five cron fields whose minutes and hours are numbers; of others, none.
 * @param fromMs the year's first moment, in milliseconds since 1970
 * @throws RangeError when there is no such time zone
 */
export function skippedTimes(
  { cron, timeZone }: { cron: string; timeZone: string },
  fromMs: number,
): SkippedTime[] {
  const fields = cron.trim().split(/\s+/);
  const [minutes, hours] = fields.length === 5 ? fields.map(numbersOf) : [];
  const wallOf = wallClock(timeZone);
  const offsetAt = (ms: number) => wallOf(ms) - ms;
  const firstDayMs = Math.floor(fromMs / DAY_MS) * DAY_MS;
  return Array.from({ length: 366 }, (_, i) => firstDayMs + i * DAY_MS)
    .flatMap((dayMs) =>
      (hours ?? []).flatMap((hour) => (minutes ?? []).map((minute) => dayMs + (hour * 60 + minute) * 60_000)),
    )
    .filter((wall) => {
      const offsets = [offsetAt(wall - DAY_MS), offsetAt(wall + DAY_MS)];
      return !offsets.some((offset) => wallOf(wall - offset) === wall);
    })
    .map((wall) => new Date(wall).toISOString())
    .map((text) => ({ day: text.slice(0, 10), time: text.slice(11, 16) }));
}

function numbersOf(field: string): number[] {
  return /^\d+(,\d+)*$/.test(field) ? field.split(',').map(Number) : [];
}

/** What a zone's clocks show at a moment, as if they showed UTC. */
function wallClock(timeZone: string): (ms: number) => number {
  const format = new Intl.DateTimeFormat('en-US', {
    ...{ timeZone, hourCycle: 'h23', year: 'numeric', month: 'numeric', day: 'numeric' },
    ...{ hour: 'numeric', minute: 'numeric' },
  });
  return (ms) => {
    const parts = new Map(format.formatToParts(ms).map(({ type, value }) => [type, Number(value)]));
    const of = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
    return Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'));
  };
}
