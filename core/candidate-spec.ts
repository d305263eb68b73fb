import type { CandidateSpec, Mode } from './bench-input';
import { formatModelRef, modelRefProblems, trailingWord } from './model-ref';
import { type Parsed, quote } from './problem-text';

/** A candidate with its mode filled in. */
export type Candidate = Required<CandidateSpec>;

export const MODES: readonly Mode[] = ['pipeline', 'direct'];
const DEFAULT_MODE: Mode = 'pipeline';
const LABEL_PATTERN = /^[A-Za-z0-9._[\]-]{1,64}$/;

/**
 * Reads `label=provider:model[@mode]`. The label ends at the first `=`, the provider at the first `:` after
 * it; a trailing `@pipeline` or `@direct` is the mode, any other trailing `@word` a problem, and `@` followed
 * by a digit belongs to the model.
 */
export function parseCandidateSpec(text: string): Parsed<Candidate> {
  const equals = text.indexOf('=');
  if (equals < 0) return { problems: [`no label in ${quote(text)} (write label=provider:model[@mode])`] };
  const rest = text.slice(equals + 1);
  const colon = rest.indexOf(':');
  if (colon < 0) return { problems: [`no provider in ${quote(text)} (write label=provider:model[@mode])`] };
  const named = rest.slice(colon + 1);
  const mode = MODES.find((word) => named.endsWith(`@${word}`));
  const spec = {
    label: text.slice(0, equals),
    provider: rest.slice(0, colon),
    model: mode ? named.slice(0, -(mode.length + 1)) : named,
    mode: mode ?? DEFAULT_MODE,
  };
  return checkCandidate(spec, text);
}

/** The same rules for a candidate given as an object. */
export function checkCandidateSpec(spec: CandidateSpec): Parsed<Candidate> {
  const candidate = { ...spec, mode: spec.mode ?? DEFAULT_MODE };
  return checkCandidate(candidate, `${spec.label}=${formatModelRef(spec)}`);
}

/** `parseCandidateSpec` reads it back. The default mode, `pipeline`, is left out. */
export function formatCandidateSpec(candidate: Candidate): string {
  const mode = candidate.mode === DEFAULT_MODE ? '' : `@${candidate.mode}`;
  return `${candidate.label}=${formatModelRef(candidate)}${mode}`;
}

function checkCandidate(candidate: Candidate, text: string): Parsed<Candidate> {
  const problems = modelRefProblems(candidate, text);
  if (!LABEL_PATTERN.test(candidate.label)) {
    problems.push(`bad label ${quote(candidate.label)} in ${quote(text)} (1 to 64 of A–Z a–z 0–9 . _ - [ ])`);
  }
  const word = trailingWord(candidate.model);
  if (word !== null) {
    problems.push(`unknown mode ${quote(`@${word}`)} in ${quote(text)} (known: ${MODES.join(', ')})`);
  }
  return problems.length > 0 ? { problems } : { value: candidate };
}
