import { ApplicationFailure } from '@temporalio/common';
import { countText } from '../core/report/figure-text';

const MAX_PROBLEMS = 20;
/** With its type and details the failure stays under 3 KB; Temporal cuts one at 4. */
const MAX_BYTES = 2_700;

/**
 * The refusal of an input, final: at most 20 problems and a count of the rest. Where they do not all fit, the longest
 * lose of their middle: the place stands at a problem's head, the remedy at its end. Has no stack, which would repeat
 * it all and tell whoever wrote the input nothing.
 */
export function invalidBenchInput(problems: readonly string[]): ApplicationFailure {
  const count = `${countText(problems.length, 'problem')} in the bench input:`;
  const more = problems.length > MAX_PROBLEMS ? [`and ${problems.length - MAX_PROBLEMS} more`] : [];
  const shown = shorten(problems.slice(0, MAX_PROBLEMS), MAX_BYTES - 200);
  const failure = ApplicationFailure.create({
    type: 'InvalidBenchInput',
    message: [count, ...[...shown, ...more].map((line) => `- ${line}`)].join('\n'),
    nonRetryable: true,
    details: [{ problems: problems.length }],
  });
  failure.stack = '';
  return failure;
}

/** Cuts the longest lines, all to one length, until all of them fit. */
function shorten(lines: readonly string[], maxBytes: number): string[] {
  let left = maxBytes;
  let longest = Number.POSITIVE_INFINITY;
  const sizes = lines.map(bytesOf).sort((a, b) => a - b);
  for (const [i, size] of sizes.entries()) {
    const share = Math.floor(left / (sizes.length - i));
    if (size > share) {
      longest = share;
      break;
    }
    left -= size;
  }
  return lines.map((line) => (bytesOf(line) > longest ? cutMiddle(line, longest) : line));
}

const GAP = '…';

function cutMiddle(line: string, maxBytes: number): string {
  const room = maxBytes - bytesOf(GAP);
  const head = takeBytes([...line], Math.ceil(room / 2)).join('');
  const tail = takeBytes([...line].reverse(), Math.floor(room / 2)).reverse();
  return `${head}${GAP}${tail.join('')}`;
}

/** As many whole characters as fit. */
function takeBytes(characters: readonly string[], maxBytes: number): string[] {
  let left = maxBytes;
  const end = characters.findIndex((character) => {
    left -= bytesOf(character);
    return left < 0;
  });
  return characters.slice(0, end < 0 ? characters.length : end);
}

function bytesOf(text: string): number {
  return Buffer.byteLength(text, 'utf8');
}
