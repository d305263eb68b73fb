import type { MetricMeter } from '@temporalio/common';
import type { BenchObserver, CallEvent, VerdictEvent } from '../core/call-event';
import { isJsonLog, writeJsonLine } from './worker-log';

/** Counts calls, dollars, tokens, failures, verdicts and matches for Prometheus, and logs each call as a line of JSON. */
export function createBenchObserver(meter: MetricMeter, env: NodeJS.ProcessEnv): BenchObserver {
  const metrics = new BenchMetrics(meter);
  const logs = isJsonLog(env);
  return {
    callEnded(event) {
      metrics.countCall(event);
      if (logs)
        writeJsonLine('INFO', new Date(), 'call ended', { ...event, call: `${event.key}#${event.attempt}` });
    },
    verdictGiven(event) {
      metrics.countVerdict(event);
      if (logs) writeJsonLine('INFO', new Date(), 'verdict given', { ...event });
    },
  };
}

/** Unknown costs and tokens are counted as unknown, never added as 0. */
class BenchMetrics {
  private readonly calls;
  private readonly failures;
  private readonly cost;
  private readonly unknownCosts;
  private readonly tokens;
  private readonly latency;
  private readonly verdicts;
  private readonly matches;

  constructor(meter: MetricMeter) {
    const counter = (name: string, of: string) => meter.createCounter(name, undefined, of);
    const histogram = (name: string, unit: string, of: string) =>
      meter.createHistogram(name, 'float', unit, of);
    this.calls = counter('co_scientist_calls', 'Requests to models that have ended');
    this.failures = counter('co_scientist_call_failures', 'Requests without an answer, by kind');
    this.cost = histogram('co_scientist_call_cost', 'usd', 'Known cost of a request, in USD');
    this.unknownCosts = counter('co_scientist_unknown_costs', 'Requests whose cost nobody knows');
    this.tokens = counter('co_scientist_tokens', 'Tokens as billed, reasoning in the output');
    this.latency = histogram('co_scientist_call_latency', 'seconds', 'From request to answer');
    this.verdicts = counter('co_scientist_verdicts', 'Verdicts, invalid ones by reason');
    this.matches = counter('co_scientist_matches', 'Matches decided, unplayed ones too');
  }

  countCall({
    kind,
    provider,
    model,
    failure,
    costUsd,
    inputTokens,
    outputTokens,
    latencyMs,
  }: CallEvent): void {
    const tags = { kind, provider, model };
    this.calls.add(1, tags);
    if (failure !== null) this.failures.add(1, { ...tags, failure });
    if (costUsd === null) this.unknownCosts.add(1, tags);
    else this.cost.record(costUsd, tags);
    if (inputTokens !== null) this.tokens.add(inputTokens, { ...tags, direction: 'input' });
    if (outputTokens !== null) this.tokens.add(outputTokens, { ...tags, direction: 'output' });
    this.latency.record(latencyMs / 1_000, tags);
  }

  countVerdict({ state, reason, match }: VerdictEvent): void {
    this.verdicts.add(1, { state, reason: reason ?? 'none' });
    if (match !== null) this.matches.add(1, { state: match });
  }
}
