/** More rounds than an address of any use needs; what is left after them stays as it is. */
const MAX_ROUNDS = 50;

/** No address is longer, in UTF-16 units; the patterns of a text of millions could overrun the engine's stack. */
export const LONGEST_ADDRESS = 100_000;

/**
 * Percent-encoding undone as often as it was done. An escape of an escape of an escape (`%252525…`) is shortened first:
 * undone one by one, an address of 16,000 characters took seconds. What is longer than any address stays as it is.
 */
export function decodeFully(text: string): string {
  if (text.length > LONGEST_ADDRESS) return text;
  let form = text;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const next = decodeOnce(form.replace(/%25(?:25)+/g, '%25'));
    if (next === form) return form;
    form = next;
  }
  return form;
}

function decodeOnce(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
