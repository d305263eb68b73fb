/** By UTF-16 code units: the same on every machine, whatever its locale. */
export function compareText(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
