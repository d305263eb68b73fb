import { firstCharacters } from './first-characters';

/** The closest known word, or null when none is close: `suggest('opnai', providers)`. */
export type Suggest = (word: string, known: readonly string[]) => string | null;

/** A value, or everything that is wrong with what should have given it. */
export type Parsed<T> = { value: T } | { problems: string[] };

const QUOTED_CHARACTERS = 100;
const KNOWN_SHOWN = 12;

/** The text as JSON writes it, cut after 100 characters: a problem stays one short line. */
export function quote(text: string): string {
  return JSON.stringify(
    text.length > QUOTED_CHARACTERS ? `${firstCharacters(text, QUOTED_CHARACTERS)}…` : text,
  );
}

/** `known: a, b, …; did you mean a?`, in the order of the list. */
export function knownWords(word: string, known: readonly string[], suggest: Suggest): string {
  const shown = known.slice(0, KNOWN_SHOWN).join(', ') || 'none';
  const closest = suggest(word, known);
  const more = known.length > KNOWN_SHOWN ? ', …' : '';
  return `known: ${shown}${more}${closest === null ? '' : `; did you mean ${closest}?`}`;
}
