import { createHash } from 'node:crypto';
import { writeHypothesisText, writeReviewText } from '../../activities/hypothesis-text';
import { planInput } from '../../activities/plan-input';
import type { CompletionRequest, ToolSpec } from '../../activities/providers/provider';
import { simProvider } from '../../activities/providers/sim';
import {
  checkHypothesis,
  checkReview,
  checkVerdict,
  RECORD_HYPOTHESIS,
  RECORD_REVIEW,
  RECORD_VERDICT,
  type ReviewRecord,
} from '../../activities/record-schemas';
import type { BenchInput } from '../../core/bench-input';
import type { PlannedModel } from '../../core/bench-plan';
import type { CallKind } from '../../core/bench-states';
import { findGoldHits } from '../../core/gold-set';
import type { HypothesisRecord } from '../../core/hypothesis';
import {
  benchScope,
  candidateId,
  candidateScope,
  generationKey,
  hypothesisId,
  judgeScope,
  matchId,
  ORDERS,
  reviewKey,
  verdictKey,
} from '../../core/ids';
import { formatModelRef } from '../../core/model-ref';
import { matchOutcome } from '../../core/outcome';
import { computeCostUsd, roundUsd, sumUsd } from '../../core/prices';
import { compareText } from '../../core/report/compare-text';
import { callsOfScope } from '../../core/report/costs';
import { factsOfRecord } from '../../core/report/facts-of-record';
import type { RecordedAttempt, RecordedBench, RecordedMatch } from '../../core/report/recorded-bench';
import { buildSchedule } from '../../core/schedule';
import { summariseBench } from '../../core/summarise-bench';
import { publicId } from '../../db/public-id';
import { toStorable } from '../../db/storable-text';
import { findGoldSet, findPrompt, findSimModels } from '../../presets';
import { renderPrompt } from '../../presets/prompt';

export interface MadeUpBench {
  record: RecordedBench;
  /** Every attempt, by key. */
  attempts: RecordedAttempt[];
}

export interface MadeUpOptions {
  benchId: string;
  input: BenchInput;
  /** Changes what a slot hands in: hostile texts, say. */
  reword?: (record: HypothesisRecord, slot: string) => HypothesisRecord;
  /** Changes what a judge says. */
  reason?: (rationale: string) => string;
}

/**
 * A finished bench of simulated models without any server: real plan, schedule, prompts and answers, all of one moment
 * a millisecond after the other. Direct mode only. The same options give the same bench.
 */
export async function makeUpBench(options: MadeUpOptions): Promise<MadeUpBench> {
  const planned = planInput(options.input);
  if ('problems' in planned) throw new Error(planned.problems.join('; '));
  const desk = new Desk(options, planned.plan);
  const candidates = planned.plan.candidates.map((candidate) =>
    candidateId(options.benchId, candidate.label),
  );
  const hypotheses = [];
  for (const [i, candidate] of candidates.entries()) {
    for (let k = 1; k <= planned.plan.n; k++) {
      hypotheses.push(await desk.generate(planned.plan.candidates[i]!, candidate, k));
    }
  }
  const slots = new Map(hypotheses.map((slot) => [slot.id, slot]));
  const schedule = buildSchedule({
    candidates: candidates.length,
    slots: planned.plan.n,
    matches: planned.plan.matches,
    seed: planned.plan.seed,
  });
  const matches: RecordedMatch[] = [];
  for (const { index, candA, candB, slotA, slotB } of schedule) {
    const [a, b] = [candidates[candA]!, candidates[candB]!];
    const [hypA, hypB] = [slots.get(hypothesisId(a, slotA))!, slots.get(hypothesisId(b, slotB))!];
    matches.push(await desk.judge(index, hypA, hypB));
  }
  return desk.finish(hypotheses, matches);
}

type Slot = RecordedBench['hypotheses'][number];
type Plan = Extract<ReturnType<typeof planInput>, { plan: unknown }>['plan'];

class Desk {
  private readonly provider = simProvider(findSimModels());
  private readonly attempts: RecordedAttempt[] = [];
  private clockMs = Date.parse('2026-10-04T10:00:00Z');

  constructor(
    private readonly options: MadeUpOptions,
    private readonly plan: Plan,
  ) {}

  async generate(model: PlannedModel, candidate: string, k: number): Promise<Slot> {
    const { benchId } = this.options;
    const id = hypothesisId(candidate, k);
    const prompt = renderPrompt(findPrompt('generation-direct'), { goal: this.plan.goal });
    const scopes = [candidateScope(candidate), benchScope(benchId)];
    const handedIn = await this.call(
      'generation',
      generationKey(id, 1),
      model,
      scopes,
      prompt,
      RECORD_HYPOTHESIS,
    );
    const checked = checkHypothesis(handedIn);
    if ('problems' in checked) throw new Error(checked.problems.join('; '));
    const record = toStorable(checked.record);
    return {
      id,
      candidateId: candidate,
      k,
      publicId: publicId('hyp', id),
      state: this.plan.matches > 0 ? 'in_tournament' : 'reviewed',
      failureKind: null,
      failureDetail: null,
      draftKind: 'original',
      duplicateOf: null,
      record: { ...record, citations: [] },
      unsupportedCitations: record.citations,
      contentSha256: hashOf(record.fullText),
      elo: null,
      review: await this.review(id, record),
      toolCalls: [],
    };
  }

  private async review(id: string, record: HypothesisRecord): Promise<Slot['review']> {
    const { reviewer, goal } = this.plan;
    if (reviewer === null) return null;
    const prompt = renderPrompt(findPrompt('review'), { goal, hypothesis: writeHypothesisText(record) });
    const key = reviewKey(id);
    const checked = checkReview(
      await this.call('review', key, reviewer, this.judgeScopes(), prompt, RECORD_REVIEW),
    );
    if ('problems' in checked) throw new Error(checked.problems.join('; '));
    return {
      reviewer: formatModelRef(reviewer),
      state: 'valid',
      reason: null,
      detail: null,
      review: toStorable(checked.record),
      callKey: key,
    };
  }

  async judge(index: number, a: Slot, b: Slot): Promise<RecordedMatch> {
    const judge = this.plan.judges[0]!;
    const id = matchId(this.options.benchId, index);
    const verdicts: RecordedMatch['verdicts'] = [];
    for (const order of ORDERS) {
      const [first, second] = order === 'ab' ? [a, b] : [b, a];
      const prompt = renderPrompt(findPrompt('verdict'), {
        goal: this.plan.goal,
        first_hypothesis: writeHypothesisText(first.record!),
        first_review: writeReviewText(first.review?.review as ReviewRecord | undefined),
        second_hypothesis: writeHypothesisText(second.record!),
        second_review: writeReviewText(second.review?.review as ReviewRecord | undefined),
      });
      const callKey = verdictKey(id, order, formatModelRef(judge), 1);
      const checked = checkVerdict(
        await this.call('judge', callKey, judge, this.judgeScopes(), prompt, RECORD_VERDICT),
      );
      if ('problems' in checked) throw new Error(checked.problems.join('; '));
      const { winner, rationale, scores } = toStorable(checked.record);
      verdicts.push({
        ...{ order, judge: formatModelRef(judge), state: 'valid' as const, winnerPosition: winner },
        ...{ reason: null, detail: null, rationale, scores, callKey },
      });
    }
    const [ab, ba] = verdicts as [RecordedMatch['verdicts'][number], RecordedMatch['verdicts'][number]];
    const outcome = matchOutcome({
      ab: { state: 'valid', winner: ab.winnerPosition! },
      ba: { state: 'valid', winner: ba.winnerPosition! },
    });
    if (outcome.state !== 'played') throw new Error(`${id}: unplayed`);
    const costs = this.attempts.slice(-2).map(({ costUsd }) => costUsd ?? 0);
    return {
      ...{ id, index, candA: a.candidateId, candB: b.candidateId, hypA: a.id, hypB: b.id },
      ...outcome,
      reason: null,
      rationale: `${ab.rationale}\n\n${ba.rationale}`,
      judgeCostUsd: sumUsd(costs),
      verdicts,
    };
  }

  private judgeScopes(): string[] {
    return [judgeScope(this.options.benchId), benchScope(this.options.benchId)];
  }

  /** @returns the arguments of the forced tool */
  private async call(
    kind: CallKind,
    key: string,
    model: PlannedModel,
    scopeIds: string[],
    prompt: { system: string; user: string },
    tool: ToolSpec,
  ): Promise<unknown> {
    const request: CompletionRequest = {
      model: model.model,
      system: prompt.system,
      turns: [{ role: 'user', text: prompt.user }],
      tools: [tool],
      toolChoice: { kind: 'force', tool: tool.name },
      maxOutputTokens: 8192,
      thinking: 'off',
      draw: { seed: this.plan.seed, key: key.slice(this.options.benchId.length + 1) },
    };
    const body = this.provider.build(request);
    const answer = await this.provider.send(body, {
      model: model.model,
      callId: `${key}#1`,
      signal: new AbortController().signal,
      timeoutMs: 60_000,
    });
    this.changeAnswer(answer.body, key);
    const completion = this.provider.read(answer, request);
    if (completion.kind !== 'recorded') throw new Error(`${key}: ${completion.kind}`);
    this.book({ kind, key, model, scopeIds }, JSON.stringify(body), JSON.stringify(answer.body), completion);
    return completion.arguments;
  }

  /** Where the answer's words are to be others, the raw answer itself has them. */
  private changeAnswer(body: unknown, key: string): void {
    const { calls } = body as { calls: { tool: string; arguments: string }[] };
    for (const call of calls) {
      const given = JSON.parse(call.arguments) as Record<string, unknown>;
      if (call.tool === RECORD_VERDICT.name && this.options.reason) {
        call.arguments = JSON.stringify({
          ...given,
          rationale: this.options.reason(String(given.rationale)),
        });
      }
      if (call.tool === RECORD_HYPOTHESIS.name && this.options.reword) {
        const checked = checkHypothesis(given);
        if ('problems' in checked) throw new Error(checked.problems.join('; '));
        const { fullText, ...rest } = this.options.reword(checked.record, key);
        call.arguments = JSON.stringify({ ...rest, full_text: fullText });
      }
    }
  }

  private book(
    {
      kind,
      key,
      model,
      scopeIds,
    }: Pick<RecordedAttempt, 'kind' | 'key' | 'scopeIds'> & { model: PlannedModel },
    request: string,
    response: string,
    { usage, reportedModel }: ReturnType<typeof this.provider.read>,
  ): void {
    const computedUsd = computeCostUsd(model.price, usage);
    const boundUsd = roundUsd((computedUsd ?? 0) + 0.01);
    const sentAt = this.tick();
    this.attempts.push({
      ...{ key, attempt: 1, epoch: 1, kind, provider: model.provider, model: model.model, scopeIds },
      state: 'settled',
      requestSha256: hashOf(request),
      requestBytes: Buffer.byteLength(request),
      ...{ requestId: null, reportedModel, failureKind: null, httpStatus: null },
      ...{ boundUsd, reportedUsd: null, computedUsd, costUsd: computedUsd },
      ...{ chargedUsd: computedUsd ?? boundUsd, overrunUsd: 0 },
      inputTokens: usage.inputTokens,
      cachedInputTokens: usage.cachedInputTokens,
      cacheWriteTokens: usage.cacheWriteTokens,
      outputTokens: usage.outputTokens,
      reasoningTokens: usage.reasoningTokens,
      sentAt,
      endedAt: this.tick(),
      latencyMs: 1,
      request,
      response,
    });
  }

  private tick(): string {
    this.clockMs += 1;
    return `${new Date(this.clockMs).toISOString().slice(0, -1)}000Z`;
  }

  finish(hypotheses: Slot[], matches: RecordedMatch[]): MadeUpBench {
    const attempts = this.attempts.sort((one, other) => compareText(one.key, other.key));
    const calls = attempts.map(({ request: _, response: __, ...call }) => call);
    const raw = this.rawRecord(hypotheses, matches, calls);
    const facts = factsOfRecord(raw, 'finished');
    const summary = summariseBench(facts);
    const record: RecordedBench = {
      ...raw,
      run: { ...raw.run, state: 'finished', summary, ratings: asJson(facts.ratings) },
      candidates: raw.candidates.map((candidate) => {
        const row = summary.candidates.find(({ label }) => label === candidate.label)!;
        return {
          ...candidate,
          ...{ nHypotheses: row.nHypotheses, wins: row.wins, losses: row.losses, ties: row.ties },
          ...{ meanElo: row.meanElo, topElo: row.topElo },
          ...{ btElo: row.rating, btLow: row.ratingLow, btHigh: row.ratingHigh },
          ...{ goldHits: row.goldHits, goldHitNames: row.goldHitNames?.join(', ') ?? null },
          ...{ totalCostUsd: row.costUsd, inputTokens: row.inputTokens, outputTokens: row.outputTokens },
        };
      }),
      hypotheses: raw.hypotheses.map((slot) => ({ ...slot, elo: facts.elo.get(slot.id) ?? null })),
    };
    return { record, attempts };
  }

  private rawRecord(
    hypotheses: Slot[],
    matches: RecordedMatch[],
    calls: RecordedBench['calls'],
  ): RecordedBench {
    const { benchId, input } = this.options;
    const { plan } = this;
    const goldSet = plan.goldSet === null ? null : findGoldSet(plan.goldSet);
    const scopes = [
      { id: benchScope(benchId), kind: 'bench' as const, capUsd: plan.budgets.benchUsd },
      { id: judgeScope(benchId), kind: 'judge' as const, capUsd: plan.budgets.judgeUsd },
      ...plan.candidates.map(({ label }) => ({
        id: candidateScope(candidateId(benchId, label)),
        kind: 'candidate' as const,
        capUsd: plan.budgets.perCandidateUsd,
      })),
    ];
    return {
      run: {
        ...{ benchId, namespace: 'default', workflowId: `bench-${benchId}`, firstRunId: benchId, epoch: 1 },
        ...{ state: 'running', preset: plan.preset, goal: plan.goal, goldSet: plan.goldSet, seed: plan.seed },
        ...{ session: plan.session ?? benchId, input, plan: asJson(plan), offeredTools: null },
        ...{ failureKind: null, failureDetail: null, holdReason: null, summary: null, ratings: null },
        createdAt: '2026-10-04T10:00:00.000000Z',
        finishedAt: this.tick(),
      },
      candidates: plan.candidates.map(({ label, provider, model, mode }, position) => ({
        ...{
          id: candidateId(benchId, label),
          position,
          label,
          provider,
          model,
          mode,
          state: 'ready' as const,
        },
        ...{ failureKind: null, holdReason: null, nPlanned: plan.n, nHypotheses: 0 },
        ...{
          wins: 0,
          losses: 0,
          ties: 0,
          meanElo: null,
          topElo: null,
          btElo: null,
          btLow: null,
          btHigh: null,
        },
        ...{ goldHits: null, goldHitNames: null, totalCostUsd: 0, nUnknownCost: 0, inDoubtUsd: 0 },
        ...{ inputTokens: 0, outputTokens: 0 },
      })),
      hypotheses,
      matches,
      goldHits: hypotheses.flatMap(({ id, record }) =>
        goldSet && record
          ? findGoldHits(goldSet, record).map((hit) => ({
              ...{ hypothesisId: id, goldSet: goldSet.name, ...hit },
              ...{ origin: 'model' as const, originDocument: null },
            }))
          : [],
      ),
      budgets: scopes
        .map((scope) => ({
          ...scope,
          heldUsd: sumUsd(callsOfScope(calls, scope.id).map(({ chargedUsd }) => chargedUsd)),
          exceededCapUsd: null,
          closedBy: null,
        }))
        .sort((one, other) => compareText(one.id, other.id)),
      calls,
    };
  }
}

/** As the database keeps it. */
function asJson<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
