import { buffer as readAll } from 'node:stream/consumers';
import { isJsonObject } from '../../core/json-object';
import { UsageError } from '../cli-error';
import { readTextFile, textOf } from '../readable-file';

/**
 * The JSON object of `--input`: a file's, or that of stdin for `-`.
 * @throws UsageError when it cannot be read or is no JSON object
 */
export async function readInputFile(path: string): Promise<Record<string, unknown>> {
  const text = await readText('--input', path);
  const place = path === '-' ? 'stdin' : path;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new UsageError({
      reason: `--input: ${place} is not JSON: ${(error as Error).message}`,
      remedy: 'give one JSON object; docs/guide/bench-input.md has its fields',
      error,
    });
  }
  refuseTwiceSaid(text, place);
  if (isJsonObject(value)) return value;
  throw new UsageError({
    reason: `--input: ${place} holds ${Array.isArray(value) ? 'an array' : JSON.stringify(value)?.slice(0, 40)}, not an object`,
    remedy: 'give one JSON object; docs/guide/bench-input.md has its fields',
  });
}

/** A cap that a file names twice would silently be the last one. @throws UsageError */
function refuseTwiceSaid(text: string, place: string): void {
  const { readJson } =
    require('../../activities/strict-json') as typeof import('../../activities/strict-json');
  const reading = readJson(text);
  if (reading.kind !== 'duplicate_key') return;
  throw new UsageError({
    reason: `--input: ${place} has the key ${JSON.stringify(reading.key)} twice in one object (line ${reading.line})`,
    remedy: 'say each field once',
  });
}

/**
 * A file's text, or stdin's for `-`.
 * @param flag named where it cannot be read
 */
export async function readText(flag: string, path: string): Promise<string> {
  if (path !== '-') return readTextFile(flag, path);
  if (process.stdin.isTTY) process.stderr.write(`${flag}: reading from the terminal; end with Ctrl-D\n`);
  return textOf(await readAll(process.stdin), `${flag}: stdin`);
}
