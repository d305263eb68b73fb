import { CliError } from '../cli-error';

/** One thing looked at. */
export interface Finding {
  name: string;
  /** `missing`: no bench can run without it. `note`: a bench on `sim` models runs all the same. */
  state: 'ok' | 'note' | 'missing';
  /** What was found, in one line. Values of variables are never told. */
  found: string;
  /** The line that mends it; null where nothing is to be mended. */
  remedy: string | null;
}

/** Turns a failure that the user can mend into a finding. */
export async function orMissing(name: string, look: () => Promise<Finding>): Promise<Finding> {
  try {
    return await look();
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    return { name, state: 'missing', found: error.details.reason, remedy: error.details.remedy };
  }
}
