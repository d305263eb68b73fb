import { callsOfTurn, TURNS } from './conversation';

/** Where a worker is killed. Turns count from 1, a turn's tools from 0. */
export type Cut =
  /** A model call: the request is out and not answered. */
  | { at: 'asked'; turn: number }
  /** The answer has come and is not booked. */
  | { at: 'answered'; turn: number }
  /** The answer is booked, and what follows from it is not. */
  | { at: 'settled'; turn: number }
  /** Temporal has the activity's completion. */
  | { at: 'completed'; activity: 'takeModelTurn'; turn: number }
  | { at: 'completed'; activity: 'runTool'; turn: number; index: number };

/** After every activity of the generation, and at four points of every model call. */
export function allCuts(): Cut[] {
  return Array.from({ length: TURNS }, (_, i) => i + 1).flatMap((turn): Cut[] => [
    { at: 'asked', turn },
    { at: 'answered', turn },
    { at: 'settled', turn },
    { at: 'completed', activity: 'takeModelTurn', turn },
    ...Array.from(
      { length: callsOfTurn(turn) },
      (_, index): Cut => ({ at: 'completed', activity: 'runTool', turn, index }),
    ),
  ]);
}

export function describeCut(cut: Cut): string {
  if (cut.at !== 'completed') return `turn ${cut.turn} ${cut.at}`;
  return cut.activity === 'runTool'
    ? `turn ${cut.turn} tool ${cut.index} completed`
    : `turn ${cut.turn} completed`;
}

/**
 * How many model calls a run with this cut may have paid for more than one without: the one that was in flight, where
 * one was for certain; after a completion, the next one may just have gone out.
 */
export function extraCalls(cut: Cut): { least: number; most: number } {
  switch (cut.at) {
    case 'asked':
    case 'answered':
      return { least: 1, most: 1 };
    case 'settled':
      return { least: 0, most: 0 };
    case 'completed':
      return { least: 0, most: 1 };
  }
}
