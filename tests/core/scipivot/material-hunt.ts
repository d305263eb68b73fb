import type { Letter } from '../../../core/scipivot/public-case';
import { chanceBound, crossValidated, type Find, type Signal, shareAgreeing } from './leak-hunt';

/** One thing a candidate's side can read, as records in the order they are read in: rows, events, lines. */
export interface Source {
  name: string;
  records: string[];
}

/** A case as the material names it: by its id, or by the positions of its two sessions. */
export interface NamedCase {
  id: string;
  positions: [number, number];
}

/**
 * Tries to rebuild the labels from whatever the material says beside a case: which words and values stand in its
 * records, how many there are, how long, where among the others, when, and how large any number in them is.
 * @returns the attempts that did better than chance allows, the best first
 */
export function huntInMaterial(
  sources: readonly Source[],
  cases: readonly NamedCase[],
  labels: readonly Letter[],
): Find[] {
  const isA = labels.map((label) => label === 'A');
  const found = sources.map((source) => recordsByCase(source, cases));
  const guesses = sources.flatMap(({ name }, s) => learners(name, found[s]!, isA));
  const signals = sources.flatMap(({ name, records }, s) => measures(name, found[s]!, records.length));
  const learnedBound = chanceBound(cases.length, Math.max(1, guesses.length));
  const ruleBound = chanceBound(cases.length, Math.max(1, 2 * signals.length));
  return [
    ...guesses.map(({ name, values }) => {
      return { attempt: name, accuracy: shareAgreeing(values, isA), bound: learnedBound };
    }),
    ...signals.map(({ name, values }) => {
      const accuracy = shareAgreeing(values, isA);
      return { attempt: name, accuracy: Math.max(accuracy, 1 - accuracy), bound: ruleBound };
    }),
  ]
    .filter(({ accuracy, bound }) => accuracy > bound)
    .sort((one, other) => other.accuracy - one.accuracy);
}

interface Mention {
  /** Of the record in its source. */
  at: number;
  text: string;
}

/** Each case's records: those that name it, by id or by a position that stands as a value of its own. */
function recordsByCase({ records }: Source, cases: readonly NamedCase[]): Mention[][] {
  const byName = new Map<string, number>();
  for (const [i, { id, positions }] of cases.entries()) {
    byName.set(id, i);
    for (const position of positions) byName.set(`position ${position}`, i);
  }
  const mentions: Mention[][] = cases.map(() => []);
  for (const [at, text] of records.entries()) {
    const names = [
      ...(text.match(/case-[0-9a-f]{16}/g) ?? []),
      ...[...text.matchAll(/(?:"position":|session )(\d+)/g)].map((match) => `position ${match[1]}`),
    ];
    for (const i of new Set(names.map((name) => byName.get(name)))) {
      if (i !== undefined) mentions[i]!.push({ at, text });
    }
  }
  return mentions;
}

/** Judged on cases they did not learn from. */
function learners(source: string, mentions: readonly Mention[][], isA: readonly boolean[]): Signal[] {
  const bags: [string, (text: string) => string[]][] = [
    ['words', (text) => text.match(/[A-Za-z][A-Za-z0-9_-]{0,30}/g) ?? []],
    ['fields and values', (text) => text.match(/"\w+": ?(?:"[^"]{0,40}"|[\d.]+|true|false|null)/g) ?? []],
    ['short values', (text) => text.match(/(?<![\w.])[A-Za-z0-9.]{1,4}(?![\w.])/g) ?? []],
  ];
  return bags.map(([name, tokensOf]) => ({
    name: `${source}: learner on ${name}`,
    values: crossValidated(
      mentions.map((own) => new Map(own.flatMap(({ text }) => tokensOf(text).map((token) => [token, 1])))),
      isA,
    ),
  }));
}

/** Counts, lengths and places, and every number that most cases have under one name. */
function measures(source: string, mentions: readonly Mention[][], nRecords: number): Signal[] {
  const of = (name: string, measure: (own: readonly Mention[]) => number | null) =>
    signalsOf(`${source}: ${name}`, mentions.map(measure));
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  const ofNumbers = namesOfNumbers(mentions).flatMap((field) =>
    of(field, (own) => {
      const values = own.flatMap(({ text }) => numbersUnder(field, text));
      return values.length > 0 ? sum(values) / values.length : null;
    }),
  );
  return [
    ...of('records', (own) => own.length),
    ...of('length', (own) => sum(own.map(({ text }) => text.length))),
    ...of('place of the first', (own) => own[0]?.at ?? null),
    ...of('place of the last', (own) => own.at(-1)?.at ?? null),
    ...of('middle place', (own) =>
      own.length > 0 ? sum(own.map(({ at }) => at)) / own.length / nRecords : null,
    ),
    ...ofNumbers,
  ];
}

/** Above the median, and whether the whole part is odd; nothing where a measure is the same for all. */
function signalsOf(name: string, values: readonly (number | null)[]): Signal[] {
  const known = values.filter((value) => value !== null).sort((one, other) => one - other);
  if (known.length < values.length / 2 || known[0] === known.at(-1)) return [];
  const median = known[Math.floor(known.length / 2)]!;
  return [
    { name: `${name}, above the median`, values: values.map((value) => value !== null && value >= median) },
    { name: `${name}, odd`, values: values.map((value) => value !== null && Math.floor(value) % 2 === 1) },
  ];
}

function namesOfNumbers(mentions: readonly Mention[][]): string[] {
  const names = new Set<string>();
  for (const { text } of mentions.flat().slice(0, 50)) {
    for (const [, name] of text.matchAll(/"(\w+)": ?(?:-?\d|"\d{4}-\d\d-\d\dT)/g)) names.add(name!);
  }
  return [...names].sort();
}

/** Numbers as they are, times as milliseconds. */
function numbersUnder(field: string, text: string): number[] {
  const pattern = new RegExp(`"${field}": ?(?:"(\\d{4}-\\d\\d-\\d\\dT[^"]+)"|(-?[\\d.]+(?:e-?\\d+)?))`, 'g');
  return [...text.matchAll(pattern)]
    .map(([, time, number]) => (time === undefined ? Number(number) : Date.parse(time)))
    .filter((value) => Number.isFinite(value));
}
