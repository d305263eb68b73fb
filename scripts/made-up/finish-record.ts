import type { BenchInput } from '../../core/bench-input';
import type { BenchPlan } from '../../core/bench-plan';
import { compareText } from '../../core/compare-text';
import { findGoldHits } from '../../core/gold-set';
import { benchScope, candidateId, candidateScope, judgeScope } from '../../core/ids';
import { sumUsd } from '../../core/prices';
import { callsOfScope } from '../../core/report/costs';
import { factsOfRecord } from '../../core/report/facts-of-record';
import type {
  RecordedAttempt,
  RecordedBench,
  RecordedBudget,
  RecordedCall,
  RecordedCandidate,
  RecordedGoldHit,
  RecordedHypothesis,
  RecordedMatch,
} from '../../core/report/recorded-bench';
import { summariseBench } from '../../core/summarise-bench';
import { findGoldSet } from '../../presets';
import type { MadeUpCalls } from './made-up-calls';

export interface Unfinished {
  benchId: string;
  input: BenchInput;
  plan: BenchPlan;
  hypotheses: RecordedHypothesis[];
  matches: RecordedMatch[];
  calls: MadeUpCalls;
}

/** The record of a bench that has ended, its results made by the same functions as those of a real one. */
export function finishRecord(bench: Unfinished): { record: RecordedBench; attempts: RecordedAttempt[] } {
  const attempts = bench.calls.attempts.toSorted((one, other) => compareText(one.key, other.key));
  const calls = attempts.map(({ request: _, response: __, ...call }) => call);
  const raw = unfinishedRecord(bench, calls);
  const facts = factsOfRecord(raw, 'finished');
  const summary = summariseBench(facts);
  const byLabel = new Map(summary.candidates.map((row) => [row.label, row]));
  const record: RecordedBench = {
    ...raw,
    run: { ...raw.run, state: 'finished', summary: asJson(summary), ratings: asJson(facts.ratings) },
    hypotheses: raw.hypotheses.map((slot) => ({ ...slot, elo: facts.elo.get(slot.id) ?? null })),
    candidates: raw.candidates.map((candidate) => {
      const row = byLabel.get(candidate.label)!;
      return {
        ...candidate,
        ...{ nHypotheses: row.nHypotheses, wins: row.wins, losses: row.losses, ties: row.ties },
        ...{ meanElo: row.meanElo, topElo: row.topElo },
        ...{ btElo: row.rating, btLow: row.ratingLow, btHigh: row.ratingHigh },
        ...{ goldHits: row.goldHits, goldHitNames: row.goldHitNames?.join(', ') ?? null },
        ...{ totalCostUsd: row.costUsd, inputTokens: row.inputTokens, outputTokens: row.outputTokens },
      };
    }),
  };
  return { record, attempts };
}

function unfinishedRecord(bench: Unfinished, calls: RecordedCall[]): RecordedBench {
  const { benchId, input, plan, hypotheses, matches } = bench;
  return {
    run: {
      ...{ benchId, namespace: 'default', workflowId: `bench-${benchId}`, firstRunId: benchId, epoch: 1 },
      ...{ state: 'running', preset: plan.preset, goal: plan.goal, goldSet: plan.goldSet, seed: plan.seed },
      ...{ session: plan.session ?? benchId, input, plan: asJson(plan), offeredTools: null },
      ...{ failureKind: null, failureDetail: null, holdReason: null, summary: null, ratings: null },
      createdAt: '2026-10-04T10:00:00.000000Z',
      finishedAt: bench.calls.tick(),
    },
    candidates: plan.candidates.map((candidate, position) =>
      blankCandidate(benchId, plan, candidate, position),
    ),
    hypotheses,
    matches,
    goldHits: goldHitsOf(plan, hypotheses),
    rescores: [],
    scipivot: null,
    rubric: null,
    budgets: budgetsOf(benchId, plan, calls),
    calls,
  };
}

function blankCandidate(
  benchId: string,
  plan: BenchPlan,
  { label, provider, model, mode }: BenchPlan['candidates'][number],
  position: number,
): RecordedCandidate {
  return {
    ...{ id: candidateId(benchId, label), position, label, provider, model, mode, state: 'ready' },
    ...{ failureKind: null, holdReason: null, nPlanned: plan.n, nHypotheses: 0 },
    ...{ wins: 0, losses: 0, ties: 0, meanElo: null, topElo: null, btElo: null, btLow: null, btHigh: null },
    ...{ goldHits: null, goldHitNames: null, totalCostUsd: 0, nUnknownCost: 0, inDoubtUsd: 0 },
    ...{ inputTokens: 0, outputTokens: 0 },
  };
}

/** Nothing was searched, so what is named is the model's own. */
function goldHitsOf({ goldSet }: BenchPlan, hypotheses: readonly RecordedHypothesis[]): RecordedGoldHit[] {
  if (goldSet === null) return [];
  const set = findGoldSet(goldSet);
  return hypotheses.flatMap(({ id, record }) =>
    (record ? findGoldHits(set, record) : []).map((hit) => ({
      ...{ hypothesisId: id, goldSet: set.name, ...hit, origin: 'model' as const, originDocument: null },
    })),
  );
}

function budgetsOf(benchId: string, plan: BenchPlan, calls: readonly RecordedCall[]): RecordedBudget[] {
  const scopes: Pick<RecordedBudget, 'id' | 'kind' | 'capUsd'>[] = [
    { id: benchScope(benchId), kind: 'bench', capUsd: plan.budgets.benchUsd },
    { id: judgeScope(benchId), kind: 'judge', capUsd: plan.budgets.judgeUsd },
    ...plan.candidates.map(({ label }) => ({
      id: candidateScope(candidateId(benchId, label)),
      kind: 'candidate' as const,
      capUsd: plan.budgets.perCandidateUsd,
    })),
  ];
  return scopes
    .map((scope) => ({
      ...scope,
      heldUsd: sumUsd(callsOfScope(calls, scope.id).map(({ chargedUsd }) => chargedUsd)),
      exceededCapUsd: null,
      closedBy: null,
    }))
    .sort((one, other) => compareText(one.id, other.id));
}

/** As the database keeps it. */
function asJson<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}
