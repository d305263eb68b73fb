import type { SubjectProgress } from '../../db/progress';

/** SciΠvot's sessions so far, of everyone asked together. */
export interface SessionCount {
  ended: number;
  planned: number;
  /** Those that ended without an answer, by status. */
  unanswered: Record<string, number>;
  /** Who holds by itself, and why: `label: reason`. */
  held: string[];
  isAsking: boolean;
}

/** @returns null where nobody is asked */
export function countAllSessions(subjects: readonly SubjectProgress[] | undefined): SessionCount | null {
  if (subjects === undefined || subjects.length === 0) return null;
  const sum = (of: (one: SubjectProgress) => number) => subjects.reduce((total, one) => total + of(one), 0);
  const kinds = [...new Set(subjects.flatMap(({ unanswered }) => Object.keys(unanswered)))].sort();
  return {
    ended: sum((one) => one.nEnded),
    planned: sum((one) => one.nSessions),
    unanswered: Object.fromEntries(kinds.map((kind) => [kind, sum((one) => one.unanswered[kind] ?? 0)])),
    held: subjects.flatMap(({ subject, holdReason }) =>
      holdReason === null ? [] : [`${subject}: ${holdReason}`],
    ),
    isAsking: subjects.some(({ state }) => state === 'asking'),
  };
}

/** A line every tenth of the sessions, and one for each that holds. */
export function sessionEvents(before: SessionCount | null, now: SessionCount | null): string[] {
  if (now === null) return [];
  const tenth = (count: SessionCount | null) => (count ? Math.floor((10 * count.ended) / count.planned) : 0);
  const events = now.held.filter((one) => !before?.held.includes(one)).map((one) => `SciΠvot: ${one}`);
  if (tenth(now) > tenth(before)) events.push(`SciΠvot: ${now.ended} of ${now.planned} sessions`);
  return events;
}
