import { lstat, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { makeFolder } from '../../activities/reporting/make-folder';
import { CliError, UsageError } from '../cli-error';

/**
 * Writes a report as JSON, whole or not at all; a file that is there is replaced.
 * @param inputs the command's input files, by option: none of them is ever replaced
 * @throws UsageError when the output is one of the inputs
 */
export async function writeReport(
  output: string,
  report: object,
  inputs: Readonly<Record<string, string>>,
): Promise<void> {
  const text = `${JSON.stringify(report, null, 2)}\n`;
  const place = await realPlace(output);
  for (const [option, input] of Object.entries(inputs)) {
    if (place !== (await realPlace(input))) continue;
    throw new UsageError({
      reason: `--output: ${output} is the file of ${option}`,
      remedy: 'give another file',
    });
  }
  try {
    const there = await stat(place).catch(() => null);
    // A pipe or a device (/dev/stdout) is written to, never replaced.
    if (there !== null && !there.isFile()) await writeFile(place, text);
    else await replace(place, text);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new CliError({
      reason: `--output: cannot write: ${message}`,
      remedy: 'check the path and its permissions',
      error,
    });
  }
}

async function replace(place: string, text: string): Promise<void> {
  makeFolder(path.dirname(place));
  const temporary = path.join(path.dirname(place), `.${path.basename(place)}.${process.pid}.tmp`);
  try {
    await writeFile(temporary, text, { flag: 'wx' });
    await rename(temporary, place);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

async function realPlace(given: string): Promise<string> {
  const absolute = path.resolve(given);
  const isThere = await lstat(absolute).then(
    () => true,
    () => false,
  );
  return isThere ? realpath(absolute).catch(() => absolute) : absolute;
}
