import { createHash } from 'node:crypto';
import type { Letter } from '../../../core/scipivot/public-case';

// Looked up once: inside jest every look at a global goes through a sandbox.
const { exp } = Math;

/** What a candidate's side can read of one case: all of the public directory, cut up by case. */
export interface PublicView {
  id: string;
  /** Place in the file, from 0. */
  place: number;
  /** The options in the original order. */
  optionA: string;
  optionB: string;
  lines: [string, string];
}

export interface Find {
  attempt: string;
  /** Share of labels it gets right. */
  accuracy: number;
  /** What pure guessing passes once in twenty hunts at most. */
  bound: number;
}

/**
 * Tries to rebuild the labels from the public views: some seven hundred fixed rules, each with its opposite,
 * and learners judged on cases they did not learn from.
 * @returns the attempts that did better than chance allows, the best first
 */
export function huntForLabels(views: readonly PublicView[], labels: readonly Letter[]): Find[] {
  const signals = fixedSignals(views);
  const isA = labels.map((label) => label === 'A');
  const ruleBound = chanceBound(views.length, 2 * signals.length);
  const learnt = learnedGuesses(views, isA);
  const learnedBound = chanceBound(views.length, learnt.length);
  const finds = [
    ...signals.map(({ name, values }) => {
      const accuracy = shareAgreeing(values, isA);
      return { attempt: name, accuracy: Math.max(accuracy, 1 - accuracy), bound: ruleBound };
    }),
    ...learnt.map(({ name, values }) => ({
      attempt: name,
      accuracy: shareAgreeing(values, isA),
      bound: learnedBound,
    })),
  ];
  return finds.filter(({ accuracy, bound }) => accuracy > bound).sort((a, b) => b.accuracy - a.accuracy);
}

export interface Signal {
  name: string;
  values: boolean[];
}

/** By Hoeffding's inequality and Bonferroni's: guesses pass it in at most 5 % of hunts, over all attempts. */
export function chanceBound(nCases: number, nAttempts: number): number {
  return 0.5 + Math.sqrt(Math.log(nAttempts / 0.05) / (2 * nCases));
}

export function shareAgreeing(values: readonly boolean[], isA: readonly boolean[]): number {
  return values.filter((value, i) => value === isA[i]).length / isA.length;
}

function fixedSignals(views: readonly PublicView[]): Signal[] {
  const signals: Signal[] = [];
  const rule = (name: string, of: (view: PublicView) => boolean) =>
    signals.push({ name, values: views.map(of) });
  const compare = (name: string, of: (text: string) => number) =>
    rule(`A has more: ${name}`, ({ optionA, optionB }) => of(optionA) > of(optionB));
  compare('characters', (text) => text.length);
  compare('bytes', (text) => Buffer.byteLength(text));
  compare('words', (text) => wordsOf(text).length);
  compare('distinct words', (text) => new Set(wordsOf(text)).size);
  compare('long words', (text) => wordsOf(text).filter((word) => word.length > 6).length);
  compare('commas', (text) => text.split(',').length);
  compare('capitals', (text) => text.replace(/[^A-Z]/g, '').length);
  compare('code sum', (text) => [...text].reduce((sum, letter) => sum + letter.charCodeAt(0), 0));
  compare('hash', (text) => Number.parseInt(sha256(text).slice(0, 12), 16));
  for (const letter of 'abcdefghijklmnopqrstuvwxyz')
    compare(`letter ${letter}`, (text) => text.split(letter).length);
  rule('A sorts first', ({ optionA, optionB }) => optionA < optionB);
  for (const n of [2, 3, 4, 5, 8, 16]) rule(`place, in blocks of ${n}`, ({ place }) => place % n < n / 2);
  for (const cut of [0.25, 0.5, 0.75])
    rule(`place, before ${cut}`, ({ place }) => place < cut * views.length);
  for (let bit = 0; bit < 64; bit++) {
    rule(`id, hash bit ${bit}`, ({ id }) => bitOf(sha256(id), bit));
    rule(`id, own bit ${bit}`, ({ id }) =>
      bitOf(Buffer.from(id.slice(-16)).toString('hex').padStart(32, '0'), 127 - bit),
    );
    rule(`option A, hash bit ${bit}`, ({ optionA }) => bitOf(sha256(optionA), bit));
    rule(`option B, hash bit ${bit}`, ({ optionB }) => bitOf(sha256(optionB), bit));
    rule(`both options, hash bit ${bit}`, ({ optionA, optionB }) => bitOf(sha256(optionA + optionB), bit));
    rule(`line ab, hash bit ${bit}`, ({ lines }) => bitOf(sha256(lines[0]), bit));
    rule(`line ba, hash bit ${bit}`, ({ lines }) => bitOf(sha256(lines[1]), bit));
  }
  for (let bit = 0; bit < 8; bit++)
    rule(`length bit ${bit}`, ({ lines }) => ((lines[0].length >> bit) & 1) === 1);
  for (const word of commonWords(views))
    rule(`A has the word ${word}`, ({ optionA }) => wordsOf(optionA).includes(word));
  return signals;
}

/** Each learner sees nine tenths of the labels and guesses the last tenth, ten times over. */
function learnedGuesses(views: readonly PublicView[], isA: readonly boolean[]): Signal[] {
  const learners: [string, (view: PublicView) => Map<string, number>][] = [
    ['words of A less words of B', ({ optionA, optionB }) => difference(wordsOf(optionA), wordsOf(optionB))],
    [
      'word pairs of A less those of B',
      ({ optionA, optionB }) => difference(pairsOf(optionA), pairsOf(optionB)),
    ],
    [
      'letters and digits of the id',
      ({ id }) =>
        difference(
          [...id].map((letter, at) => `${at}${letter}`),
          [],
        ),
    ],
    [
      'letter triples of the id',
      ({ id }) =>
        difference(
          [...id].map((_, at) => id.slice(at, at + 3)),
          [],
        ),
    ],
    [
      'lengths',
      ({ optionA, optionB }) => new Map([['difference', Math.sign(optionA.length - optionB.length)]]),
    ],
    ['place in the file', ({ place }) => difference([`${Math.floor((8 * place) / views.length)}`], [])],
  ];
  const guesses = learners.map(([name, features]) => ({
    name: `learner on ${name}`,
    values: crossValidated(views.map(features), isA),
  }));
  return [
    ...guesses,
    { name: 'the neighbour in the file', values: isA.map((_, i) => isA[i === 0 ? 1 : i - 1]!) },
  ];
}

/** Logistic regression by gradient steps, a little shrunk. */
export function crossValidated(features: readonly Map<string, number>[], isA: readonly boolean[]): boolean[] {
  const guesses: boolean[] = new Array(isA.length).fill(false);
  for (let fold = 0; fold < 10; fold++) {
    const weights = new Map<string, number>();
    const score = (row: Map<string, number>) =>
      [...row].reduce((sum, [name, value]) => sum + (weights.get(name) ?? 0) * value, weights.get('') ?? 0);
    for (let round = 0; round < 12; round++) {
      for (const [i, row] of features.entries()) {
        if (i % 10 === fold) continue;
        const error = (isA[i] ? 1 : 0) - 1 / (1 + exp(-score(row)));
        for (const [name, value] of [...row, ['', 1] as const]) {
          weights.set(name, (weights.get(name) ?? 0) * 0.999 + 0.1 * error * value);
        }
      }
    }
    for (const [i, row] of features.entries()) if (i % 10 === fold) guesses[i] = score(row) > 0;
  }
  return guesses;
}

function difference(plus: readonly string[], minus: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const item of plus) counts.set(`+${item}`, (counts.get(`+${item}`) ?? 0) + 1);
  // One weight a word: what speaks for A in A speaks for B in B.
  for (const item of minus) counts.set(`+${item}`, (counts.get(`+${item}`) ?? 0) - 1);
  return counts;
}

function commonWords(views: readonly PublicView[]): string[] {
  const counts = new Map<string, number>();
  for (const { optionA, optionB } of views) {
    for (const word of new Set(wordsOf(`${optionA} ${optionB}`)))
      counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return [...counts].filter(([, count]) => count >= 10).map(([word]) => word);
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[a-z0-9-]+/g) ?? [];
}

function pairsOf(text: string): string[] {
  const words = wordsOf(text);
  return words.slice(1).map((word, i) => `${words[i]} ${word}`);
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function bitOf(hex: string, bit: number): boolean {
  return ((Number.parseInt(hex[Math.floor(bit / 4)]!, 16) >> (3 - (bit % 4))) & 1) === 1;
}
