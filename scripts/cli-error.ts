/**
 * A failure told to a person: one line of cause, one of remedy. `exitCode` is what the CLI ends with:
 * 1 for a run that failed, 2 for a command that was not understood, 3 for a check that found what it looks for.
 */
export class CliError extends Error {
  override readonly name: string = 'CliError';
  readonly details: CliErrorDetails;
  readonly exitCode: 1 | 2 | 3 = 1;

  constructor(details: CliErrorDetails) {
    super(details.reason, details.error === undefined ? undefined : { cause: details.error });
    this.details = details;
  }
}

/** A command, option or argument that cannot be right, whatever the state of the machine. */
export class UsageError extends CliError {
  override readonly name = 'UsageError';
  override readonly exitCode = 2;
}

export interface CliErrorDetails {
  /** What went wrong, in one line without a full stop: subject, rule, value, place. */
  reason: string;
  /** Where several things are wrong at once: each of them, on a line of its own below the reason. */
  problems?: readonly string[];
  /** What mends it, in one line: best a command to type. */
  remedy: string;
  /** The error underneath, shown with `--debug` only. */
  error?: unknown;
}
