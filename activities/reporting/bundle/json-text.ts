/** A file's text: the same value gives the same bytes. */
export function jsonText(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
