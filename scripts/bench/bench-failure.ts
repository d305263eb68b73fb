import { CliError } from '../cli-error';
import { printable } from './printable';

interface Cause {
  name?: string;
  type?: string | null;
  message?: string;
  cause?: unknown;
}

/**
 * Why a bench's workflow ended without a result, as one cause and one remedy.
 * @param error what waiting for the workflow threw
 */
export function benchFailure(benchId: string, error: unknown): CliError {
  const root = rootCause(error);
  const { name = 'Error', message = '' } = root;
  const type = root.type ?? name;
  if (type === 'InvalidBenchInput' || type === 'ProviderUnavailable') {
    const [head = '', ...problems] = message.split('\n- ');
    const reason = type === 'InvalidBenchInput' ? `was refused: ${printable(head)}` : 'cannot begin';
    return new CliError({
      reason: `bench ${benchId} ${reason.replace(/:$/, '')}`,
      problems: problems.length > 0 ? problems.map(printable) : [printable(message)],
      remedy: type === 'InvalidBenchInput' ? inputRemedy(benchId, problems) : providerRemedy(problems),
      error,
    });
  }
  const [reason, remedy] = describeEnd(benchId, type, message);
  return new CliError({
    reason: `bench ${benchId} ${reason}`,
    remedy: remedy ?? `co-scientist resume ${benchId} takes it up again, and pays only for what is missing`,
    error,
  });
}

/** What this program has planned itself is refused only by other code; a resume, by the state of the bench. */
function inputRemedy(benchId: string, problems: string[]): string {
  if (!problems.some((problem) => problem.startsWith('resume:'))) {
    return 'the worker runs other code than this program: end it with co-scientist down, then try again';
  }
  return problems.some((problem) => problem.includes('takeOver'))
    ? `follow it: co-scientist watch ${benchId}; or end it first: co-scientist resume ${benchId} --take-over`
    : `co-scientist show ${benchId}`;
}

function describeEnd(benchId: string, type: string, message: string): [reason: string, remedy?: string] {
  switch (type) {
    case 'CancelledFailure':
      return ['was cancelled'];
    case 'TerminatedFailure':
      return ['was terminated in Temporal, so its rows stay as they were'];
    case 'TimeoutFailure':
      return ['ran out of the time its workflow was given'];
    case 'BenchTakenOver':
      return ['was taken over by another run'];
    case 'ServiceError':
      return [
        `is out of sight: Temporal does not answer (${printable(message)})`,
        `the bench goes on when it does: co-scientist watch ${benchId}`,
      ];
    case 'WorkflowNotFoundError':
      return ['is unknown to Temporal: the server has forgotten it, or is another one'];
    default:
      return [`failed: ${printable(type)}: ${printable(message)}`];
  }
}

/** What to set where no worker has a key, by provider; what to start where none has a role. */
function providerRemedy(problems: string[]): string {
  const { missingKeyHint } =
    require('../../activities/providers') as typeof import('../../activities/providers');
  const providers = problems.flatMap((line) => /no running worker has a key for (\S+)/.exec(line)?.[1] ?? []);
  const hints = [...new Set(providers)].map(missingKeyHint).filter(Boolean);
  const steps: string[] = [];
  if (hints.length > 0) steps.push(`set ${hints.join(', ')}`);
  if (problems.some((line) => /no running worker has a \S+ role/.test(line))) steps.push('co-scientist up');
  if (steps.length === 0) steps.push('mend the keys or the names of these models');
  return `${steps.join('; ')}; then the same command again`;
}

/** Temporal wraps a failure in one for each workflow and activity it came through. */
function rootCause(error: unknown): Cause {
  const seen = error as Cause;
  const wrappers = ['WorkflowFailedError', 'ActivityFailure', 'ChildWorkflowFailure'];
  return wrappers.includes(seen?.name ?? '') && seen.cause ? rootCause(seen.cause) : (seen ?? {});
}
