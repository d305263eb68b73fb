import { createHash } from 'node:crypto';
import type { CompletionRequest, Provider, ToolSpec } from '../../activities/providers/provider';
import { simProvider } from '../../activities/providers/sim';
import type { Checked } from '../../activities/record-schemas';
import type { PlannedModel } from '../../core/bench-plan';
import type { CallKind } from '../../core/bench-states';
import { computeCostUsd, roundUsd } from '../../core/prices';
import type { RecordedAttempt } from '../../core/report/recorded-bench';
import { toStorable } from '../../db/storable-text';
import { findSimModels } from '../../presets';
import type { RenderedPrompt } from '../../presets/prompt';

/** A call to make up: everything but its answer. */
export interface MadeUpCall<T> {
  kind: CallKind;
  key: string;
  model: PlannedModel;
  scopeIds: string[];
  prompt: RenderedPrompt;
  /** Forced. */
  tool: ToolSpec;
  check: (value: unknown) => Checked<T>;
  /** Other arguments in place of those the model gave. */
  change?: (given: T) => Record<string, unknown>;
}

/** Answered calls of the sim provider, booked as the ledger would, a millisecond after the other. */
export class MadeUpCalls {
  readonly attempts: RecordedAttempt[] = [];
  private readonly provider: Provider = simProvider(findSimModels());
  private clockMs = Date.parse('2026-10-04T10:00:00Z');

  constructor(
    private readonly benchId: string,
    private readonly seed: number,
  ) {}

  /** @returns what was handed in, as the database keeps it */
  async make<T>(call: MadeUpCall<T>): Promise<T> {
    const request = this.requestOf(call);
    const body = this.provider.build(request);
    const answer = await this.provider.send(body, {
      model: call.model.model,
      callId: `${call.key}#1`,
      signal: new AbortController().signal,
      timeoutMs: 60_000,
    });
    changeAnswer(answer.body, call);
    const completion = this.provider.read(answer, request);
    if (completion.kind !== 'recorded') throw new Error(`${call.key}: ${completion.kind}`);
    this.book(call, JSON.stringify(body), JSON.stringify(answer.body), completion);
    return toStorable(recordOf(call.check(completion.arguments)));
  }

  /** The moment after the last one, as the record writes it. */
  tick(): string {
    this.clockMs += 1;
    return `${new Date(this.clockMs).toISOString().slice(0, -1)}000Z`;
  }

  private requestOf<T>({ key, model, prompt, tool }: MadeUpCall<T>): CompletionRequest {
    return {
      model: model.model,
      system: prompt.system,
      turns: [{ role: 'user', text: prompt.user }],
      tools: [tool],
      toolChoice: { kind: 'force', tool: tool.name },
      maxOutputTokens: 1_000_000, // nothing is cut
      thinking: 'off',
      draw: { seed: this.seed, key: key.slice(this.benchId.length + 1) },
    };
  }

  private book<T>(
    { kind, key, model, scopeIds }: MadeUpCall<T>,
    request: string,
    response: string,
    { usage, reportedModel }: ReturnType<Provider['read']>,
  ): void {
    const { reportedCostUsd: reportedUsd, ...tokens } = usage;
    const computedUsd = computeCostUsd(model.price, usage);
    const boundUsd = roundUsd((computedUsd ?? 0) + 0.01);
    const sentAt = this.tick();
    this.attempts.push({
      ...{ key, attempt: 1, epoch: 1, kind, provider: model.provider, model: model.model, scopeIds },
      state: 'settled',
      requestSha256: createHash('sha256').update(request).digest('hex'),
      requestBytes: Buffer.byteLength(request),
      ...{ requestId: null, reportedModel, failureKind: null, httpStatus: null },
      ...{ boundUsd, reportedUsd, computedUsd, costUsd: computedUsd },
      ...{ chargedUsd: computedUsd ?? boundUsd, overrunUsd: 0 },
      ...tokens,
      ...{ sentAt, endedAt: this.tick(), latencyMs: 1 },
      ...{ request, response },
    });
  }
}

/** Where the words are to be others, the raw answer itself has them. */
function changeAnswer<T>(body: unknown, { check, change }: MadeUpCall<T>): void {
  if (!change) return;
  for (const call of (body as { calls: { arguments: string }[] }).calls) {
    call.arguments = JSON.stringify(change(recordOf(check(JSON.parse(call.arguments)))));
  }
}

function recordOf<T>(checked: Checked<T>): T {
  if ('problems' in checked) throw new Error(checked.problems.join('; '));
  return checked.record;
}
