/**
 * What an activity adds to a history at most: its three events (scheduled, started, completed), and the three of the
 * workflow task that its end calls for where no other ends at the same time. Tries after the first add none.
 */
export const EVENTS_PER_ACTIVITY = 6;

/** What a run may add between two looks at its history without being asked how much: `isHistoryFull` leaves so much room. */
const SMALL_EVENTS = 500;

/** Of the 4,096 events at which the server suggests a new run, what debates may fill; the rest is for holds and pauses. */
const MOST_EVENTS = 4_000;

export interface DebateSize {
  /** Before each verdict, both sides together; at least 1. */
  argumentTurns: number;
  judges: number;
}

/**
 * What the debates of a tournament may still add to its history once it looks at it, beyond what is always left room
 * for: those in flight, and those of the one match that is begun before it looks again, each to its verdict.
 */
export function debateEvents(size: DebateSize, inFlight: number): number {
  return Math.max(0, (inFlight + verdictsOfMatch(size)) * eventsOfVerdict(size) - SMALL_EVENTS);
}

/**
 * How many verdicts may be in flight, each with its debate: so many that a run which has just begun can end them all
 * before its history is too long. Fewer than asked for only where debates are long: of 12 arguments, 42 with one judge.
 */
export function debatesInFlight(size: DebateSize, maxInFlight: number): number {
  const room = Math.floor((MOST_EVENTS - SMALL_EVENTS) / eventsOfVerdict(size));
  return Math.max(1, Math.min(maxInFlight, room - verdictsOfMatch(size)));
}

function eventsOfVerdict({ argumentTurns }: DebateSize): number {
  return (argumentTurns + 1) * EVENTS_PER_ACTIVITY;
}

/** At most: each judge in both orders. */
function verdictsOfMatch({ judges }: DebateSize): number {
  return 2 * judges;
}
