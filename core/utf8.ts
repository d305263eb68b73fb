/**
 * The UTF-8 bytes of a text; a lone surrogate becomes U+FFFD, as the Encoding Standard has it.
 * Written out because the workflow sandbox need not have `TextEncoder`, and core has no Node built-ins.
 */
export function utf8Bytes(text: string): number[] {
  const bytes: number[] = [];
  for (const character of text) {
    const point = scalarValue(character.codePointAt(0)!);
    if (point < 0x80) bytes.push(point);
    else if (point < 0x800) bytes.push(0xc0 | (point >> 6), continuation(point));
    else if (point < 0x10000) bytes.push(0xe0 | (point >> 12), continuation(point >> 6), continuation(point));
    else {
      bytes.push(0xf0 | (point >> 18));
      bytes.push(continuation(point >> 12), continuation(point >> 6), continuation(point));
    }
  }
  return bytes;
}

function scalarValue(point: number): number {
  return point >= 0xd800 && point <= 0xdfff ? 0xfffd : point;
}

function continuation(point: number): number {
  return 0x80 | (point & 0x3f);
}
