import type { Order } from '../ids';

/** The name of an option: of the option itself (original order), or of the place it was shown in. */
export type Letter = 'A' | 'B';

/**
 * All that a candidate may ever learn of a case, beside the prompt's fixed words. Which option is the better
 * one, where an option came from and what followed have no field here, so no code that is handed a
 * `PublicCase` can pass them on.
 */
export interface PublicCase {
  readonly id: string;
  readonly optionA: string;
  readonly optionB: string;
}

/** Which option is the more appropriate plan, by its letter in the original order. Graders only. */
export interface Reference {
  readonly caseId: string;
  readonly label: Letter;
}

/** A case as its release has it. Read by trusted ingestion only. */
export interface SourceCase extends PublicCase {
  readonly label: Letter;
}

/** The three public fields, copied one by one: whatever else the object carries stays behind. */
export function publicCase(id: string, source: PublicCase): PublicCase {
  return Object.freeze({ id, optionA: source.optionA, optionB: source.optionB });
}

/** The two options as they are shown: `ab` is the original order, `ba` the reverse. */
export function shownOptions(known: PublicCase, order: Order): { first: string; second: string } {
  return order === 'ab'
    ? { first: known.optionA, second: known.optionB }
    : { first: known.optionB, second: known.optionA };
}

export function swap(letter: Letter): Letter {
  return letter === 'A' ? 'B' : 'A';
}

/**
 * The option an answer names. An answer's letter names the place shown, so under `ba` the two letters change
 * places.
 */
export function namedOption(answer: Letter, order: Order): Letter {
  return order === 'ab' ? answer : swap(answer);
}
