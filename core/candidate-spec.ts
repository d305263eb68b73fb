import type { CandidateInput, CandidateSpec, Mode } from './bench-input';
import { formatModelRef, modelRefProblems, trailingWord } from './model-ref';
import { type Parsed, quote } from './problem-text';

/** A candidate with its mode filled in. */
export type Candidate = Required<CandidateSpec>;

export const MODES: readonly Mode[] = ['pipeline', 'direct'];
const DEFAULT_MODE: Mode = 'pipeline';
/** What the other budgets of a bench are called: the scope of a candidate `judge` would be the judge's own. */
const OTHER_SCOPES = ['bench', 'judge'];
const LABEL_PATTERN = /^[A-Za-z0-9._[\]-]{1,64}$/;

/**
 * Reads `label=provider:model[@mode]`. The label ends at the first `=`, the provider at the first `:` after
 * it; a trailing `@pipeline` or `@direct` is the mode, any other trailing `@word` a problem, and `@` followed
 * by a digit belongs to the model. A candidate given as an object keeps the same rules. A label that every object has,
 * such as `__proto__`, is refused: charts and results are looked up by label, some in libraries that do not ask whose.
 */
export function parseCandidateSpec(input: CandidateInput): Parsed<Candidate> {
  const { candidate, problems } = readCandidate(input);
  return candidate && problems.length === 0 ? { value: candidate } : { problems };
}

/** As `parseCandidateSpec`; with nothing but its label wrong a candidate is still read, for there may be more to say. */
export function readCandidate(input: CandidateInput): { candidate: Candidate | null; problems: string[] } {
  if (typeof input !== 'string') {
    const candidate = { ...input, mode: input.mode ?? DEFAULT_MODE };
    return checkCandidate(candidate, `${input.label}=${formatModelRef(input)}`);
  }
  const equals = input.indexOf('=');
  const rest = input.slice(equals + 1);
  const colon = rest.indexOf(':');
  if (equals < 0 || colon < 0) {
    const missing = equals < 0 ? 'label' : 'provider';
    return {
      candidate: null,
      problems: [`no ${missing} in ${quote(input)} (write label=provider:model[@mode])`],
    };
  }
  const named = rest.slice(colon + 1);
  const mode = MODES.find((word) => named.endsWith(`@${word}`));
  const candidate = {
    label: input.slice(0, equals),
    provider: rest.slice(0, colon),
    model: mode ? named.slice(0, -(mode.length + 1)) : named,
    mode: mode ?? DEFAULT_MODE,
  };
  return checkCandidate(candidate, input);
}

/** `parseCandidateSpec` reads it back. The default mode, `pipeline`, is left out. */
export function formatCandidateSpec(candidate: Candidate): string {
  const mode = candidate.mode === DEFAULT_MODE ? '' : `@${candidate.mode}`;
  return `${candidate.label}=${formatModelRef(candidate)}${mode}`;
}

function checkCandidate(candidate: Candidate, text: string): ReturnType<typeof readCandidate> {
  const problems = modelRefProblems(candidate, text);
  const word = trailingWord(candidate.model);
  if (word !== null) {
    problems.push(`unknown mode ${quote(`@${word}`)} in ${quote(text)} (known: ${MODES.join(', ')})`);
  }
  const isReadable = problems.length === 0;
  if (!LABEL_PATTERN.test(candidate.label)) {
    problems.push(`bad label ${quote(candidate.label)} in ${quote(text)} (1 to 64 of A–Z a–z 0–9 . _ - [ ])`);
  } else if (candidate.label in Object.prototype) {
    problems.push(`bad label ${quote(candidate.label)} in ${quote(text)} (every JavaScript object has one)`);
  } else if (OTHER_SCOPES.includes(candidate.label)) {
    problems.push(
      `bad label ${quote(candidate.label)} in ${quote(text)} (a budget of the bench itself is called so)`,
    );
  }
  return { candidate: isReadable ? candidate : null, problems };
}
