import { CALL_FAILURES, type CallFailure, type InvalidAnswer } from './completion';
import { knownWords, type Parsed, quote, type Suggest } from './problem-text';

/** What a named sim model is like unless its options say otherwise. */
export interface SimTraits {
  /** Latent strength of its hypotheses in logits: the truth that ratings must recover. */
  skill: number;
  /** Standard deviation of strength between its hypotheses, in logits. */
  spread: number;
  /**
   * As a judge: how far its verdicts follow the strengths, from 0 (a coin) to 1 (nothing else). On our own SciΠvot
   * fixture: its chance of a right answer, and a coin's below ½.
   */
  accuracy: number;
  /** As a judge: what being shown first is worth, in logits. */
  bias: number;
}

export interface SimModel extends SimTraits {
  name: string;
  /** As a judge: what it answers whatever it reads; null: it judges. */
  answer: 'always-a' | null;
  /** Before every answer, in milliseconds. */
  latencyMs: number;
  /** Each answer fails in one of these ways with probability `p`; the rest are answers. */
  fail: { kind: SimFailure; p: number }[];
}

export type SimFailure = CallFailure | InvalidAnswer;

const INVALID_ANSWERS: Record<InvalidAnswer, true> = {
  no_call: true,
  empty: true,
  refused: true,
  truncated: true,
  malformed_arguments: true,
  wrong_tool: true,
  several_calls: true,
  unreadable: true,
};
const FAILURES = [...new Set([...Object.keys(CALL_FAILURES), ...Object.keys(INVALID_ANSWERS)])];

type NumberField = 'skill' | 'spread' | 'accuracy' | 'bias' | 'latencyMs';

const NUMBER_OPTIONS: Record<string, { field: NumberField; min: number; max: number; unit: string }> = {
  skill: { field: 'skill', min: -20, max: 20, unit: 'logits' },
  spread: { field: 'spread', min: 0, max: 20, unit: 'logits' },
  accuracy: { field: 'accuracy', min: 0, max: 1, unit: 'a probability' },
  bias: { field: 'bias', min: -20, max: 20, unit: 'logits' },
  latency: { field: 'latencyMs', min: 0, max: 600_000, unit: 'ms' },
};
const OPTIONS = [...Object.keys(NUMBER_OPTIONS), 'answer', 'fail'];

/**
 * Reads `<name>[,skill=<logit>][,spread=<logit>][,accuracy=<p>][,bias=<logit>][,answer=always-a]
 * [,latency=<ms>][,fail=<kind>:<p>]`, options in any order, each once but `fail`, whose kinds differ.
 *
 * @param traits the named models
 */
export function parseSimModel(
  model: string,
  traits: Readonly<Record<string, SimTraits>>,
  suggest: Suggest = () => null,
): Parsed<SimModel> {
  const [name = '', ...options] = model.split(',');
  const problems: string[] = [];
  const isKnown = Object.hasOwn(traits, name);
  if (!isKnown) {
    problems.push(`unknown sim model ${quote(name)} (${knownWords(name, Object.keys(traits), suggest)})`);
  }
  const own = isKnown ? traits[name]! : { skill: 0, spread: 0, accuracy: 1, bias: 0 };
  const parsed: SimModel = { ...own, name, answer: null, latencyMs: 0, fail: [] };
  const seen = new Set<string>();
  for (const option of options) {
    const equals = option.indexOf('=');
    const key = equals < 0 ? option : option.slice(0, equals);
    const problem = applyOption(parsed, key, equals < 0 ? '' : option.slice(equals + 1), suggest);
    if (problem) problems.push(problem);
    if (seen.has(key) && key !== 'fail') problems.push(`sim option ${quote(key)} is given twice`);
    seen.add(key);
  }
  const failShare = parsed.fail.reduce((sum, { p }) => sum + p, 0);
  if (failShare > 1 + 1e-9) problems.push(`the chances of sim option "fail" add up to ${failShare}, over 1`);
  return problems.length > 0 ? { problems } : { value: parsed };
}

/** @returns what is wrong, or null */
function applyOption(model: SimModel, key: string, value: string, suggest: Suggest): string | null {
  if (Object.hasOwn(NUMBER_OPTIONS, key)) {
    const option = NUMBER_OPTIONS[key]!;
    const number = readNumber(value);
    if (number === null || number < option.min || number > option.max) {
      return `sim option ${key}: ${quote(value)} is not ${option.min} to ${option.max} (${option.unit})`;
    }
    model[option.field] = number;
    return null;
  }
  if (key === 'answer') {
    if (value !== 'always-a') return `sim option answer: unknown ${quote(value)} (known: always-a)`;
    model.answer = value;
    return null;
  }
  if (key === 'fail') return applyFail(model, value, suggest);
  return `unknown sim option ${quote(key)} (${knownWords(key, OPTIONS, suggest)})`;
}

function applyFail(model: SimModel, value: string, suggest: Suggest): string | null {
  const colon = value.indexOf(':');
  const kind = colon < 0 ? value : value.slice(0, colon);
  const p = colon < 0 ? null : readNumber(value.slice(colon + 1));
  if (!FAILURES.includes(kind)) {
    return `sim option fail: unknown kind ${quote(kind)} (${knownWords(kind, FAILURES, suggest)})`;
  }
  if (p === null || p < 0 || p > 1)
    return `sim option fail: ${quote(value)} is not <kind>:<chance from 0 to 1>`;
  if (model.fail.some((failure) => failure.kind === kind)) return `sim option fail: ${kind} is given twice`;
  model.fail.push({ kind: kind as SimFailure, p });
  return null;
}

/** Plain decimals only: no blank, no hex, no exponent, no Infinity. */
function readNumber(text: string): number | null {
  return /^[+-]?\d+(\.\d+)?$/.test(text) ? Number(text) : null;
}
