/**
 * A line that is too long for the terminal goes on below, two columns further in; where there is no edge it stays.
 * @param width of the terminal
 */
export function hangingLine(line: string, width: number): string {
  if (line.length <= width) return line;
  const wrapAnsi = require('wrap-ansi') as typeof import('wrap-ansi');
  const indent = `${' '.repeat(line.length - line.trimStart().length)}  `;
  const [first = '', ...rest] = wrapAnsi(line, Math.max(20, width - indent.length), { trim: false })
    .split('\n')
    .map((part) => part.trimEnd());
  return [first, ...rest.map((part) => `${indent}${part.trimStart()}`)].join('\n');
}
