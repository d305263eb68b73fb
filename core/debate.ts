import type { BenchPlan } from './bench-plan';
import type { Position } from './outcome';

/** One argument of a debate: what was said for the hypothesis in this place. */
export interface Speech {
  speaker: Position;
  argument: string;
}

/** Who speaks in a turn, from 1: in turn, who is shown first begins. In the other order it is the other one. */
export function speakerOf(turn: number): Position {
  return turn % 2 === 1 ? 'first' : 'second';
}

/** Argument turns before each verdict, both sides together; 0 without a debate. */
export function argumentTurns({
  verdictMode,
  debateTurns,
}: Pick<BenchPlan, 'verdictMode' | 'debateTurns'>): number {
  return verdictMode === 'debate' ? 2 * debateTurns : 0;
}
