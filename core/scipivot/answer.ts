import { isJsonObject } from '../json-object';
import type { Letter } from './public-case';

/** What a model's raw text came to. `unparseable` and `ambiguous` count as wrong, never as missing. */
export type AnswerRuling =
  | { kind: 'answer'; letter: Letter }
  | { kind: 'unparseable'; reason: UnparseableReason }
  | { kind: 'ambiguous'; reason: 'duplicate_key' };

export type UnparseableReason =
  | 'empty' // nothing but white space
  | 'not_an_answer' // neither the bare letter nor one complete JSON value: prose, fences, lower case, …
  | 'other_value' // a complete JSON string, number, boolean, null or array, or an answer that is not "A" or "B"
  | 'other_keys'; // a JSON object whose keys are not exactly `answer`

/** A JSON text, read by something that sees duplicate keys, which `JSON.parse` hides. */
export type ReadJson = (text: string) => JsonReading;
export type JsonReading =
  /** One complete value, every object's keys distinct. */
  | { kind: 'value'; value: unknown }
  /** One complete value, but some object in it, at any depth, has a key twice. Lines count from 1. */
  | { kind: 'duplicate_key'; key: string; line: number }
  | { kind: 'not_json' };

/** How an answer is read, in words, for every output that depends on it. */
export const ANSWER_READING =
  'One byte-order mark at the very start and ASCII white space (space, tab, LF, FF, CR) at both ends are dropped. ' +
  'What is left must be exactly A or B, or one complete JSON value: the string "A" or "B", or an object whose ' +
  'only key is "answer" with that string. Anything else is wrong: unparseable, or ambiguous when a JSON object ' +
  'in it has a key twice. This is our reading of the protocol, not the released parser.';

/**
 * The letter a response names, or why it names none. Nothing is fished out of prose, and nothing is guessed.
 */
export function readAnswer(response: string, readJson: ReadJson): AnswerRuling {
  const text = trimmed(response);
  if (text === '') return { kind: 'unparseable', reason: 'empty' };
  if (isLetter(text)) return { kind: 'answer', letter: text };
  const reading = readJson(text);
  switch (reading.kind) {
    case 'not_json':
      return { kind: 'unparseable', reason: 'not_an_answer' };
    case 'duplicate_key':
      return { kind: 'ambiguous', reason: 'duplicate_key' };
    case 'value':
      return rulingOfValue(reading.value);
  }
}

function trimmed(response: string): string {
  const text = response.startsWith('\ufeff') ? response.slice(1) : response;
  let start = 0;
  let end = text.length;
  while (start < end && isAsciiWhiteSpace(text.charCodeAt(start))) start++;
  while (end > start && isAsciiWhiteSpace(text.charCodeAt(end - 1))) end--;
  return text.slice(start, end);
}

/** As the WHATWG Infra Standard lists it. */
function isAsciiWhiteSpace(code: number): boolean {
  return code === 0x20 || code === 0x09 || code === 0x0a || code === 0x0c || code === 0x0d;
}

function rulingOfValue(value: unknown): AnswerRuling {
  if (isLetter(value)) return { kind: 'answer', letter: value };
  if (!isJsonObject(value)) return { kind: 'unparseable', reason: 'other_value' };
  const entries = Object.entries(value);
  const answer: unknown = entries.length === 1 && entries[0]![0] === 'answer' ? entries[0]![1] : undefined;
  if (answer === undefined) return { kind: 'unparseable', reason: 'other_keys' };
  return isLetter(answer)
    ? { kind: 'answer', letter: answer }
    : { kind: 'unparseable', reason: 'other_value' };
}

export function isLetter(value: unknown): value is Letter {
  return value === 'A' || value === 'B';
}
