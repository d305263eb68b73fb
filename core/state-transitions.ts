import type { BenchState, CandidateState, HypothesisState } from './bench-states';
import { BrokenInvariant } from './broken-invariant';

/** What each kind of thing may become, state by state; an empty list is an end. */
export const TRANSITIONS: {
  bench: Record<BenchState, readonly BenchState[]>;
  candidate: Record<CandidateState, readonly CandidateState[]>;
  hypothesis: Record<HypothesisState, readonly HypothesisState[]>;
} = {
  bench: {
    planned: ['running', 'failed', 'cancelled'],
    running: ['paused', 'finished', 'failed', 'cancelled'],
    paused: ['running', 'failed', 'cancelled'],
    // By `resume` alone, which works over the same rows and pays for what is missing.
    finished: ['running'],
    failed: ['running'],
    cancelled: ['running'],
  },
  candidate: {
    planned: ['generating', 'dropped', 'failed'],
    generating: ['ready', 'over_budget', 'dropped', 'failed'],
    // Again after a resume, for slots that reopen or are missing; a drop is for good.
    ready: ['generating', 'dropped'],
    over_budget: ['generating', 'dropped'],
    failed: ['generating', 'dropped'],
    dropped: [],
  },
  hypothesis: {
    planned: ['draft', 'failed', 'over_budget'],
    draft: ['reviewed', 'duplicate'],
    reviewed: ['in_tournament'],
    in_tournament: [],
    // By a resume, where nobody had answered.
    failed: ['planned'],
    duplicate: [],
    // Reopened by a resume when the cap has risen.
    over_budget: ['planned'],
  },
};

/** Whose states they are, and what those are. */
export interface StatesByKind {
  bench: BenchState;
  candidate: CandidateState;
  hypothesis: HypothesisState;
}

export function canBecome<K extends keyof StatesByKind>(
  kind: K,
  from: StatesByKind[K],
  to: StatesByKind[K],
): boolean {
  return allowedFrom(kind, from).includes(to);
}

/**
 * @throws IllegalTransition naming the kind, the two states and what would have been allowed. Staying in a state is no
 *   transition, and is refused like any other that is not in the table.
 */
export function assertTransition<K extends keyof StatesByKind>(
  kind: K,
  from: StatesByKind[K],
  to: StatesByKind[K],
): void {
  if (canBecome(kind, from, to)) return;
  throw new IllegalTransition(kind, from, to, allowedFrom(kind, from));
}

/** A change of state that the table does not have. */
export class IllegalTransition extends BrokenInvariant {
  constructor(
    readonly kind: keyof StatesByKind,
    readonly from: string,
    readonly to: string,
    readonly allowed: readonly string[],
  ) {
    super(`${kind}: ${from} cannot become ${to} (allowed: ${allowed.join(', ') || 'nothing'})`);
    this.name = 'IllegalTransition';
  }
}

/** The states from which one is reached: for an update that moves only rows that may move. */
export function statesBefore<K extends keyof StatesByKind>(kind: K, to: StatesByKind[K]): StatesByKind[K][] {
  const states = Object.keys(TRANSITIONS[kind]) as StatesByKind[K][];
  return states.filter((from) => canBecome(kind, from, to));
}

function allowedFrom(kind: keyof StatesByKind, from: string): readonly string[] {
  const table: Record<string, readonly string[]> = TRANSITIONS[kind];
  return Object.hasOwn(table, from) ? table[from]! : [];
}
