import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import type { FileLine } from '../../activities/scipivot/predictions';
import { CliError, UsageError } from '../cli-error';

/** A file of cases or references is read whole; none of a reasonable release is larger. */
const LARGEST_BYTES = 64_000_000;

/** What an output says of each file that went into it. No path: the same bytes give the same output. */
export interface InputHash {
  sha256: string;
  bytes: number;
}

/**
 * Reads a whole file once, so that what is hashed is what is parsed.
 * @param what the file is to us, for messages
 */
export async function readInput(what: string, path: string): Promise<{ bytes: Buffer; hash: InputHash }> {
  try {
    const { size } = await stat(path);
    if (size > LARGEST_BYTES) throw tooLarge(what, size);
    const bytes = await readFile(path);
    return { bytes, hash: { sha256: sha256Of(bytes), bytes: bytes.length } };
  } catch (error) {
    throw error instanceof CliError ? error : unreadable(what, path, error);
  }
}

/**
 * The lines of a file as they stream by, and afterwards its hash. Memory stays within one line: a longer one
 * than `longestBytes` comes as null.
 */
export function readLines(
  what: string,
  path: string,
  longestBytes: number,
): { lines: AsyncIterable<FileLine>; hash: () => InputHash } {
  const hash = createHash('sha256');
  let total = 0;
  async function* bytesOf(): AsyncIterable<Buffer> {
    try {
      for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
        hash.update(chunk);
        total += chunk.length;
        yield chunk;
      }
    } catch (error) {
      throw unreadable(what, path, error);
    }
  }
  return {
    lines: splitLines(bytesOf(), longestBytes),
    hash: () => ({ sha256: hash.digest('hex'), bytes: total }),
  };
}

async function* splitLines(chunks: AsyncIterable<Uint8Array>, longestBytes: number): AsyncIterable<FileLine> {
  let number = 1;
  let pieces: Uint8Array[] = [];
  let length = 0;
  const take = (piece: Uint8Array) => {
    length += piece.length;
    if (length > longestBytes) pieces = [];
    else pieces.push(piece);
  };
  const line = (): FileLine => ({ number, bytes: length > longestBytes ? null : Buffer.concat(pieces) });
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(0x0a); end !== -1; end = chunk.indexOf(0x0a, start)) {
      take(chunk.subarray(start, end));
      yield line();
      [number, pieces, length, start] = [number + 1, [], 0, end + 1];
    }
    take(chunk.subarray(start));
  }
  // What stands after the last line end is a line only when it is something.
  if (length > 0) yield line();
}

export function sha256Of(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

function tooLarge(what: string, size: number): CliError {
  return new CliError({
    reason: `${what}: ${size} bytes, over the limit of ${LARGEST_BYTES}`,
    remedy: 'check that it is the right file',
  });
}

function unreadable(what: string, path: string, error: unknown): UsageError {
  const code = (error as NodeJS.ErrnoException).code ?? 'unknown error';
  return new UsageError({
    reason: `${what}: cannot read ${path} (${code})`,
    remedy: 'check the path and its permissions',
    error,
  });
}
