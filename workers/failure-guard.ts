import type { Context } from '@temporalio/activity';
import { ApplicationFailure, TemporalFailure } from '@temporalio/common';
import type { ActivityExecuteInput, ActivityInboundCallsInterceptor, Next } from '@temporalio/worker';
import { benchTakenOver } from '../activities/failures';
import { BenchTakenOver } from '../db/benches';
import { isFaultOfOurs } from '../db/fault-of-ours';

/**
 * Nothing unforeseen crosses Temporal with its words: a driver's error may quote the row, a parser's the text. What
 * activities throw on purpose passes; of anything else only the kind and the place do.
 */
export class FailureGuard implements ActivityInboundCallsInterceptor {
  constructor(private readonly context: Context) {}

  async execute(
    input: ActivityExecuteInput,
    next: Next<ActivityInboundCallsInterceptor, 'execute'>,
  ): Promise<unknown> {
    try {
      return await next(input);
    } catch (error) {
      if (error instanceof TemporalFailure) throw error;
      if (error instanceof BenchTakenOver) throw benchTakenOver(error);
      throw describeKind(this.context.info.activityType, error);
    }
  }
}

function describeKind(activity: string, error: unknown): ApplicationFailure {
  const {
    name = 'Error',
    code,
    constraint,
  } = error as { name?: string; code?: unknown; constraint?: unknown };
  const parts = [name, code, constraint].filter((part) => typeof part === 'string' && part !== '');
  const failure = ApplicationFailure.create({
    type: name,
    message: `${activity}: ${parts.join(' ')}`,
    nonRetryable: isFaultOfOurs(error),
  });
  failure.stack = `${failure.name}: ${failure.message}\n${framesOf(error)}`;
  return failure;
}

/** Where it happened: a stack's frames without its head, which repeats the message, and that may look like frames. */
function framesOf(error: unknown): string {
  if (!(error instanceof Error) || !error.stack) return '';
  const { stack, message } = error;
  const head = stack.indexOf(message);
  return stack
    .slice(head < 0 ? 0 : head + message.length)
    .split('\n')
    .filter((line) => /^\s+at .*:\d+:\d+\)?$/.test(line))
    .slice(0, 12)
    .join('\n');
}
