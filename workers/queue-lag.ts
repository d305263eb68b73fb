import type { Context } from '@temporalio/activity';
import type { MetricHistogram } from '@temporalio/common';
import type {
  ActivityExecuteInput,
  ActivityInboundCallsInterceptor,
  ActivityOutboundCallsInterceptor,
  Next,
} from '@temporalio/worker';

/**
 * How long a task waited in its queue before somebody took it: what grows when there are too few workers, or a rate limit
 * holds. Clocks of server and worker are compared, so below a second or so it may be theirs that differ.
 */
export class QueueLag implements ActivityInboundCallsInterceptor {
  constructor(
    private readonly context: Context,
    private readonly histogram: MetricHistogram,
  ) {}

  async execute(
    input: ActivityExecuteInput,
    next: Next<ActivityInboundCallsInterceptor, 'execute'>,
  ): Promise<unknown> {
    const { currentAttemptScheduledTimestampMs: scheduledAt, taskQueue, activityType } = this.context.info;
    this.histogram.record(Math.max(0, Date.now() - scheduledAt) / 1_000, {
      queue: taskQueue,
      activity: activityType,
    });
    return next(input);
  }
}

/** The ids that an activity's input names, beside each of its log lines. */
export class LoggedIds implements ActivityInboundCallsInterceptor, ActivityOutboundCallsInterceptor {
  private ids: Record<string, string> = {};

  async execute(
    input: ActivityExecuteInput,
    next: Next<ActivityInboundCallsInterceptor, 'execute'>,
  ): Promise<unknown> {
    const [given] = input.args;
    const fields = typeof given === 'object' && given !== null ? Object.entries(given) : [];
    this.ids = Object.fromEntries(
      fields.filter(
        (field): field is [string, string] => LOGGED.test(field[0]) && typeof field[1] === 'string',
      ),
    );
    return next(input);
  }

  getLogAttributes(
    input: Record<string, unknown>,
    next: Next<ActivityOutboundCallsInterceptor, 'getLogAttributes'>,
  ): Record<string, unknown> {
    return next({ ...input, ...this.ids });
  }
}

const LOGGED = /^(benchId|candidateId|hypothesisId|matchId)$/;
