import type { Context } from '@temporalio/activity';
import type { ActivityExecuteInput, ActivityInboundCallsInterceptor, Next } from '@temporalio/worker';

/**
 * Says of every activity that its worker is alive, from its first moment to its last: a killed worker's activities
 * are then noticed after their heartbeat timeout, whichever they were, and a cancellation finds its way in.
 */
export class Heartbeats implements ActivityInboundCallsInterceptor {
  constructor(private readonly context: Context) {}

  async execute(
    input: ActivityExecuteInput,
    next: Next<ActivityInboundCallsInterceptor, 'execute'>,
  ): Promise<unknown> {
    const { heartbeatTimeoutMs } = this.context.info;
    if (!heartbeatTimeoutMs) return next(input);
    const timer = setInterval(() => this.context.heartbeat(), heartbeatTimeoutMs / 3);
    try {
      return await next(input);
    } finally {
      clearInterval(timer);
    }
  }
}
