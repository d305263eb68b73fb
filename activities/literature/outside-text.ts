/**
 * Text from outside, made fit for a model's input and for storage: data, whatever it says. What could pass for the
 * frame around it, or for a chat's own marks, is altered as little as is needed to be harmless: `<` before a letter
 * becomes `‹`. Invisible characters (which can carry instructions no reader sees) go. Idempotent.
 * @param text untrusted
 */
export function cleanOutsideText(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(INVISIBLE, '')
    .replace(/\p{Surrogate}/gu, '\uFFFD')
    .replace(/[\u2028\u2029\v\f\u0085]/g, '\n')
    .replace(CONTROL, ' ')
    .replace(/<(?=[\p{L}/|!?<\\[])/gu, '‹')
    .replace(/(?<=[|<‹])>/g, '›')
    .replace(/\[(?=\/?(?:INST|SYS|SYSTEM|TOOL)\])/gi, '⟦')
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ *\n */g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

/** One line of it, for titles and names. */
export function cleanOutsideLine(text: string): string {
  return cleanOutsideText(text).replace(/\s+/g, ' ');
}

/** Every line begins with `> `: no line of outside text can then be taken for one of ours. */
export function quoteLines(text: string): string {
  return text
    .split('\n')
    .map((line) => (line ? `> ${line}` : '>'))
    .join('\n');
}

/** Strikes credentials that come back in errors and addresses, before anything is shown, stored or logged. */
export function strikeCredentials(text: string): string {
  return text
    .replace(/(api[_-]?key["']?\s*[=:]\s*["']?)[^\s"'&,}]+/gi, '$1[struck]')
    .replace(/\b(bearer\s+)[\w.~+/=-]+/gi, '$1[struck]');
}

/** Soft hyphens, zero-width and direction marks, tag characters, variation selectors, annotation marks. */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu;

const CONTROL = /(?![\n\t])\p{Cc}/gu;
