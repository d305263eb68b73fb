import { CliError } from '../cli-error';

/** A refused file is the user's to mend: its problems are told in the CLI's two lines. */
export async function refusalsTold<T>(work: Promise<T>): Promise<T> {
  const { FileRefused } =
    require('../../activities/scipivot/refusal') as typeof import('../../activities/scipivot/refusal');
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof FileRefused)) throw error;
    throw new CliError({
      reason: error.message,
      remedy: `mend the ${error.file} file at these lines; docs/guide/scipivot.md has its format`,
      error,
    });
  }
}
