import { isJsonObject } from '../../core/json-object';
import { at } from '../providers/json-path';

/** Tells a problem: where, by path from the file's root, and the rule that is broken there. */
export type Tell = (path: readonly (string | number)[], rule: string) => void;

const PAIRS = [
  ['option_a', 'option_b'],
  ['optionA', 'optionB'],
  ['plan_a', 'plan_b'],
  ['A', 'B'],
  ['a', 'b'],
] as const;
const LISTS = ['options', 'choices', 'plans'];
const LETTER_FIELDS = ['label', 'id', 'key', 'letter', 'option'];
const TEXT_FIELDS = ['text', 'content', 'plan', 'description'];

/** Where a case keeps its two option texts, as the first case has it. */
export interface OptionsShape {
  /** In words, for the outputs. */
  text: string;
  /** The case's own fields that are used. */
  fields: string[];
  /** Paths to the two texts below a case; for letter-marked objects the letters are checked on the way. */
  a: readonly (string | number)[];
  b: readonly (string | number)[];
  letters: { a: readonly (string | number)[]; b: readonly (string | number)[] } | null;
}

/** null: no shape known here fits. */
export function optionsShapeOf(entry: Record<string, unknown>): OptionsShape | null {
  const pair = PAIRS.find((names) => names.every((name) => Object.hasOwn(entry, name)));
  if (pair !== undefined) {
    return { text: pair.join(', '), fields: [...pair], a: [pair[0]], b: [pair[1]], letters: null };
  }
  const list = LISTS.find((name) => Object.hasOwn(entry, name));
  return list === undefined ? null : listShape(list, entry[list]);
}

function listShape(list: string, options: unknown): OptionsShape | null {
  const shape = (text: string, a: (string | number)[], b: (string | number)[]): OptionsShape => {
    return { text, fields: [list], a: [list, ...a], b: [list, ...b], letters: null };
  };
  if (isJsonObject(options)) {
    const pair = PAIRS.find((names) => names.every((name) => Object.hasOwn(options, name)));
    return pair === undefined ? null : shape(`${list}.${pair[0]}, ${list}.${pair[1]}`, [pair[0]], [pair[1]]);
  }
  if (!Array.isArray(options) || options.length !== 2) return null;
  const [first]: unknown[] = options;
  if (typeof first === 'string') return shape(`${list}[0], ${list}[1]`, [0], [1]);
  if (!isJsonObject(first)) return null;
  const letter = LETTER_FIELDS.find((name) => first[name] === 'A' || first[name] === 'B');
  const text = TEXT_FIELDS.find((name) => typeof first[name] === 'string');
  if (letter === undefined || text === undefined) return null;
  return {
    ...shape(`${list}[0].${text}, ${list}[1].${text}, marked by ${letter}`, [0, text], [1, text]),
    letters: { a: [list, 0, letter], b: [list, 1, letter] },
  };
}

/** @returns null when something was told */
export function readOptions(
  entry: Record<string, unknown>,
  shape: OptionsShape,
  path: readonly (string | number)[],
  tell: Tell,
): { optionA: string; optionB: string } | null {
  const list = shape.fields.length === 1 ? entry[shape.fields[0]!] : null;
  const nOptions = typeof list === 'object' && list !== null ? Object.keys(list).length : 2;
  if (nOptions !== 2) {
    tell([...path, shape.fields[0]!], `two options, not ${nOptions}`);
    return null;
  }
  const first = readText(at(entry, ...shape.a), [...path, ...shape.a], tell);
  const second = readText(at(entry, ...shape.b), [...path, ...shape.b], tell);
  if (first === null || second === null) return null;
  if (shape.letters === null) return { optionA: first, optionB: second };
  const [a, b] = [at(entry, ...shape.letters.a), at(entry, ...shape.letters.b)];
  if (a === 'A' && b === 'B') return { optionA: first, optionB: second };
  if (a === 'B' && b === 'A') return { optionA: second, optionB: first };
  tell([...path, shape.fields[0]!], 'two options, one marked "A" and one marked "B"');
  return null;
}

export function readText(value: unknown, path: readonly (string | number)[], tell: Tell): string | null {
  if (typeof value === 'string' && value.trim() !== '' && !/\p{Surrogate}/u.test(value)) return value;
  tell(path, 'a text that is not empty, and whole Unicode');
  return null;
}

/** Names of fields that were not used in some case, in order. */
export function fieldsLeftBehind(entries: readonly unknown[], used: readonly string[]): string[] {
  const names = new Set(entries.flatMap((entry) => (isJsonObject(entry) ? Object.keys(entry) : [])));
  return [...names].filter((name) => !used.includes(name)).sort();
}
