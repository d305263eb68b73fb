import type { Random } from '../../core/random';
import vocabulary from './sim-vocabulary.json';

/** What a simulated text is about; every sentence of it draws its words from here. */
export interface SimTopic {
  compound: string;
  target: string;
  kind: string;
  process: string;
  cell: string;
  model: string;
  readout: string;
}

/** How often a topic is about one of the compounds that gold sets know, so that a demonstration shows hits. */
const RARE_SHARE = 0.12;

export function drawTopic(random: Random): SimTopic {
  const isRare = random.uniform() < RARE_SHARE;
  const compounds = isRare ? vocabulary.rareCompounds : vocabulary.compounds;
  const [compound, target, kind] = pick(random, compounds) as [string, string, string];
  return {
    compound,
    target,
    kind,
    process: pick(random, vocabulary.processes),
    cell: pick(random, vocabulary.cells),
    model: pick(random, vocabulary.models),
    readout: pick(random, vocabulary.readouts),
  };
}

export type SentenceKind =
  | 'titles'
  | 'openings'
  | 'claims'
  | 'gaps'
  | 'arguments'
  | 'steps'
  | 'tests'
  | 'reviewPoints'
  | 'queries';

/** `count` different sentences of a kind, in random order. */
export function sentences(random: Random, topic: SimTopic, kind: SentenceKind, count: number): string[] {
  return random
    .shuffle(vocabulary[kind])
    .slice(0, count)
    .map((template) => fill(template, topic));
}

/** The same in the order of the vocabulary, for sentences that follow on each other. */
export function inOrder(random: Random, topic: SimTopic, kind: SentenceKind, count: number): string[] {
  const drawn = random.shuffle(vocabulary[kind]).slice(0, count);
  return vocabulary[kind]
    .filter((template) => drawn.includes(template))
    .map((template) => fill(template, topic));
}

export function pick<T>(random: Random, items: readonly T[]): T {
  return items[random.integers(0, items.length)]!;
}

/** `{word}` becomes the topic's word, `{Word}` the same with a capital. */
function fill(template: string, topic: SimTopic): string {
  return template.replace(/\{(\w)(\w*)\}/g, (_, first: string, rest: string) => {
    const word = topic[(first.toLowerCase() + rest) as keyof SimTopic];
    return first === first.toUpperCase() ? word[0]!.toUpperCase() + word.slice(1) : word;
  });
}
