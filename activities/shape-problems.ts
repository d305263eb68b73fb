import type { z } from 'zod';
import { firstCharacters } from '../core/first-characters';
import { knownWords, quote } from '../core/problem-text';
import { suggest } from '../presets/suggest';

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];
type KnownFields = (path: Path) => readonly string[];

/**
 * What is wrong with the shape of a user's object, each problem with its place, the value that stands there and what it
 * would have to be: `orders: "bth" is not "both" or "balanced"`.
 * @param issues of a `safeParse` with `reportInput`
 * @param knownFields those of the object at a path
 */
export function shapeProblems(issues: readonly Issue[], knownFields: KnownFields): string[] {
  return issues.flatMap((issue) => describe(issue, [], knownFields));
}

/** @param above where the issue's own path begins */
function describe(issue: Issue, above: Path, knownFields: KnownFields): string[] {
  const path = [...above, ...issue.path];
  const place = formatPath(path);
  if (issue.code === 'unrecognized_keys') {
    const inPlace = path.length > 0 ? `${place}: ` : '';
    const known = (key: string) => knownWords(key, knownFields(path), suggestField);
    return issue.keys.map((key) => `${inPlace}unknown field ${quote(key)} (${known(key)})`);
  }
  if (issue.code === 'invalid_union') {
    // Of the shapes it may have, the one that it was meant to have: then what is wrong with that one's parts.
    const meant = issue.errors.find((issues) => !issues.some(isOfAnotherShape));
    if (meant) return meant.flatMap((one) => describe(one, path, knownFields));
    const shapes = issue.errors.map((issues) => issues.map((one) => wanted(one) ?? one.message).join(', '));
    return [`${place}: ${shown(issue.input)} is neither ${shapes.join(' nor ')}`];
  }
  const rule = wanted(issue);
  if (rule === null) return [`${place}: ${issue.message}`];
  return [
    `${place}: ${issue.input === undefined ? `missing: ${rule}` : `${shown(issue.input)} is not ${rule}`}`,
  ];
}

function isOfAnotherShape({ code, path }: Issue): boolean {
  return path.length === 0 && code !== 'unrecognized_keys';
}

const KINDS: Readonly<Record<string, string>> = {
  ...{ string: 'a text', number: 'a finite number', boolean: 'true or false' },
  ...{ array: 'a list', object: 'an object', record: 'an object', int: 'a whole number' },
};

/** What a value would have to be; null where only the issue's own message tells. */
function wanted(issue: Issue): string | null {
  if (issue.code === 'invalid_type') return KINDS[issue.expected] ?? issue.expected;
  if (issue.code === 'invalid_value') return issue.values.map((value) => JSON.stringify(value)).join(' or ');
  return issue.code === 'too_small' && issue.origin === 'number' ? `a number from ${issue.minimum}` : null;
}

const SHOWN_CHARACTERS = 60;

function shown(value: unknown): string {
  if (typeof value === 'number') return String(value); // JSON has no Infinity
  if (typeof value === 'string') return quote(value);
  const json = JSON.stringify(value) ?? String(value);
  return json.length > SHOWN_CHARACTERS ? `${firstCharacters(json, SHOWN_CHARACTERS)}…` : json;
}

/** Also as other languages write it: `budget_usd`. */
function suggestField(key: string, known: readonly string[]): string | null {
  return suggest(key.replace(/[-_]/g, ''), known);
}

function formatPath(path: Path): string {
  if (path.length === 0) return 'the whole';
  return path.map((p, i) => (typeof p === 'number' ? `[${p}]` : `${i ? '.' : ''}${String(p)}`)).join('');
}
