import { readTakeOverReason } from '../../core/take-over-reason';
import { CliError } from '../cli-error';
import { printable } from './printable';
import { readProblems } from './read-problems';
import { readFailure } from './result-text';

interface Cause {
  name?: string;
  type?: string | null;
  message?: string;
  cause?: unknown;
}

/**
 * Why a bench's workflow ended without a result, as one cause and one remedy.
 * @param error what waiting for the workflow threw
 * @param laterOwner the workflow that has the bench by now, where it is another
 */
export function benchFailure(benchId: string, error: unknown, laterOwner: string | null = null): CliError {
  const root = rootCause(error);
  const { name = 'Error', message = '' } = root;
  const type = root.type ?? name;
  const refused = notBegun(benchId, { type, message }, error);
  if (refused) return refused;
  if (wasTakenOver(error)) return takenOver(benchId, laterOwner ?? readTakeOverReason(message), error);
  const [reason, remedy] = describeEnd(benchId, type, message);
  return new CliError({
    reason: `bench ${benchId} ${reason}`,
    remedy: remedy ?? `co-scientist resume ${benchId} takes it up again, and pays only for what is missing`,
    error,
  });
}

/**
 * Why a bench could not begin, each problem of its own, and what mends them; null where it ended for another reason.
 * @param failure as its workflow or its row has it
 */
function notBegun(
  benchId: string,
  { type, message }: { type: string; message: string },
  error?: unknown,
): CliError | null {
  if (type !== 'InvalidBenchInput' && type !== 'ProviderUnavailable') return null;
  const { head, problems } = readProblems(message);
  const isInput = type === 'InvalidBenchInput';
  return new CliError({
    reason: `bench ${benchId} ${isInput ? refusal(head, problems) : 'cannot begin'}`,
    problems: problems.length > 0 ? problems : [printable(message)],
    remedy: isInput ? inputRemedy(benchId, problems) : providerRemedy(benchId, problems),
    error,
  });
}

/** Why a bench has no result, as its rows have it, and what takes it up again. */
export function endedOtherwise({ benchId, state, failure }: EndedBench): CliError {
  const refused = failure && notBegun(benchId, { type: failure.kind, message: failure.detail });
  if (refused) return refused;
  const { reason, problems } = failure ? readFailure(failure) : { reason: state, problems: [] };
  return new CliError({
    reason: `bench ${benchId} ${state === 'cancelled' ? 'was cancelled' : `failed: ${reason}`}`,
    problems,
    remedy: `co-scientist resume ${benchId} takes it up again, and pays only for what is missing`,
  });
}

interface EndedBench {
  benchId: string;
  state: string;
  failure: { kind: string; detail: string } | null;
}

/** Whether the workflow ended because another has its bench. */
export function wasTakenOver(error: unknown): boolean {
  const { type, name, message = '' } = rootCause(error);
  return type === 'BenchTakenOver' || (name === 'TerminatedFailure' && readTakeOverReason(message) !== null);
}

function takenOver(benchId: string, owner: string | null, error: unknown): CliError {
  return new CliError({
    reason: `bench ${benchId} was taken over by another resume${owner === null ? '' : `: workflow ${printable(owner)} has it now`}`,
    remedy: `follow it: co-scientist watch ${benchId}`,
    error,
  });
}

function refusal(head: string, problems: string[]): string {
  return isOfResume(problems) ? 'was not resumed' : `was refused: ${head}`;
}

function isOfResume(problems: string[]): boolean {
  return problems.some((problem) => problem.startsWith('resume:'));
}

/** What this program has planned itself is refused only by other code; a resume, by the state of the bench. */
function inputRemedy(benchId: string, problems: string[]): string {
  if (!isOfResume(problems)) {
    return 'the worker runs other code than this program: end it with co-scientist down, then try again';
  }
  const says = (words: string) => problems.some((problem) => problem.includes(words));
  if (says('takeOver: true')) {
    return `follow it: co-scientist watch ${benchId}; or end it first: co-scientist resume ${benchId} --take-over`;
  }
  if (says('by another resume')) return `follow it: co-scientist watch ${benchId}`;
  if (says('resume: prompt ')) {
    return 'resume it by the version of this program, and its workers, that began it; or start a new bench';
  }
  return `co-scientist show ${benchId}`;
}

function describeEnd(benchId: string, type: string, message: string): [reason: string, remedy?: string] {
  switch (type) {
    case 'CancelledFailure':
      return ['was cancelled'];
    case 'TerminatedFailure':
      return ['was terminated in Temporal, so its rows stay as they were'];
    case 'TimeoutFailure':
      return ['ran out of the time its workflow was given'];
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
function providerRemedy(benchId: string, problems: string[]): string {
  const { missingKeyHint } =
    require('../../activities/providers') as typeof import('../../activities/providers');
  const providers = problems.flatMap((line) => /no running worker has a key for (\S+)/.exec(line)?.[1] ?? []);
  const hints = [...new Set(providers)].map(missingKeyHint).filter(Boolean);
  const steps: string[] = [];
  if (hints.length > 0) steps.push(`set ${hints.join(', ')}`);
  if (problems.some((line) => /no running worker has a \S+ role/.test(line))) steps.push('co-scientist up');
  if (steps.length === 0)
    steps.push('mend the keys or the addresses of these models (another name is another bench)');
  return `${steps.join('; ')}; then co-scientist resume ${benchId}`;
}

/** Temporal wraps a failure in one for each workflow and activity it came through. */
export function rootCause(error: unknown): Cause {
  const seen = error as Cause;
  const wrappers = ['WorkflowFailedError', 'ActivityFailure', 'ChildWorkflowFailure'];
  return wrappers.includes(seen?.name ?? '') && seen.cause ? rootCause(seen.cause) : (seen ?? {});
}
