const letters = new Intl.Segmenter();

/** The first so many characters of a text (UTF-16), fewer where the last would be part of a letter or an emoji. */
export function firstCharacters(text: string, most: number): string {
  return text.slice(0, letters.segment(text).containing(most)?.index ?? text.length);
}
