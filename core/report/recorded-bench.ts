import type { BenchInput, Mode } from '../bench-input';
import type { BenchPlan } from '../bench-plan';
import type {
  BenchState,
  CallKind,
  CallState,
  CandidateState,
  HypothesisState,
  MatchState,
  VerdictState,
} from '../bench-states';
import type { BenchSummary } from '../bench-summary';
import type { GoldHit, GoldSet } from '../gold-set';
import type { Citation, HypothesisRecord } from '../hypothesis';
import type { Order } from '../ids';
import type { Agreement } from '../outcome';
import type { BenchRatings } from '../ratings/rate-bench';
import type { GoldScore } from './gold-rescore';
import type { RecordedRubric } from './recorded-rubric';
import type { RecordedScipivot } from './recorded-scipivot';

/**
 * A whole bench as its rows have it, but for the words of requests and answers: what reports are made from, what an
 * exported bundle holds, and what an import writes. The same whether it comes from a database or from files.
 * Times are RFC 3339 in UTC with microseconds, as text, since a Date would lose the last three digits.
 */
export interface RecordedBench {
  run: RecordedRun;
  /** In the order of the plan. */
  candidates: RecordedCandidate[];
  /** Every slot, failed ones too, in the order of candidates and k. */
  hypotheses: RecordedHypothesis[];
  /** In schedule order. */
  matches: RecordedMatch[];
  /** What the grader found at run time; by hypothesis, gold set, entity and field. */
  goldHits: RecordedGoldHit[];
  /** What it came to against other sets, after the fact; by name and version of the set. */
  rescores: RecordedRescore[];
  /** By id. */
  budgets: RecordedBudget[];
  /** null where the bench has none, or nobody has been asked yet. */
  scipivot: RecordedScipivot | null;
  /** null where nobody has been asked for scores. */
  rubric: RecordedRubric | null;
  /** Every request that was ever written down, by key and attempt; those for rubric scores are no part of the bench. */
  calls: RecordedCall[];
}

export interface RecordedRun {
  benchId: string;
  namespace: string;
  workflowId: string;
  firstRunId: string;
  epoch: number;
  state: BenchState;
  preset: string | null;
  goal: string;
  goldSet: string | null;
  seed: number;
  session: string;
  input: BenchInput;
  plan: BenchPlan;
  offeredTools: unknown;
  failureKind: string | null;
  failureDetail: string | null;
  holdReason: string | null;
  summary: BenchSummary | null;
  ratings: BenchRatings | null;
  createdAt: string;
  finishedAt: string | null;
}

export interface RecordedCandidate {
  id: string;
  position: number;
  label: string;
  provider: string;
  model: string;
  mode: Mode;
  state: CandidateState;
  failureKind: string | null;
  holdReason: string | null;
  nPlanned: number;
  nHypotheses: number;
  wins: number;
  losses: number;
  ties: number;
  meanElo: number | null;
  topElo: number | null;
  /** Bradley–Terry rating with its 95 % interval. */
  btElo: number | null;
  btLow: number | null;
  btHigh: number | null;
  goldHits: number | null;
  goldHitNames: string | null;
  totalCostUsd: number;
  nUnknownCost: number;
  inDoubtUsd: number;
  inputTokens: number;
  outputTokens: number;
}

export interface RecordedHypothesis {
  id: string;
  candidateId: string;
  k: number;
  publicId: string;
  state: HypothesisState;
  failureKind: string | null;
  failureDetail: string | null;
  draftKind: 'original' | 'nudged' | null;
  duplicateOf: string | null;
  /** null where the slot brought none. */
  record: HypothesisRecord | null;
  unsupportedCitations: Citation[] | null;
  contentSha256: string | null;
  elo: number | null;
  /** The fixed reviewer's; null where nobody has reviewed it. */
  review: RecordedReview | null;
  /** In the order they were made. */
  toolCalls: RecordedToolCall[];
}

export interface RecordedReview {
  /** `provider:model` */
  reviewer: string;
  state: VerdictState;
  reason: string | null;
  detail: string | null;
  review: Record<string, unknown> | null;
  callKey: string;
}

export interface RecordedToolCall {
  turn: number;
  index: number;
  callId: string;
  tool: string;
  /** JSON text as the model gave it; null when it was not one JSON object. */
  arguments: string | null;
  argumentsSha256: string;
  /** The earlier call whose answer serves this one too. */
  repeatsTurn: number | null;
  repeatsIndex: number | null;
  state: 'planned' | 'answered';
  outcome: 'found' | 'nothing_found' | 'part_found' | 'refused' | 'failed' | null;
  failureKind: string | null;
  /** What the model saw. */
  answer: string | null;
  documents: ToolDocumentRecord[] | null;
  cache: 'hit' | 'miss' | null;
  withheldCount: number | null;
  latencyMs: number | null;
}

/** A document as a tool showed it; what else the gateway knew of it stands beside these fields. */
export type ToolDocumentRecord = { url: string; title: string; excerpt: string } & Record<string, unknown>;

export interface RecordedMatch {
  id: string;
  index: number;
  candA: string;
  candB: string;
  hypA: string;
  hypB: string;
  state: MatchState;
  /** Why it is unplayed. */
  reason: string | null;
  winner: 'a' | 'b' | 'tie' | null;
  scoreA: number | null;
  /** Of one judge's two orders; null where it was one order, or a panel. */
  agreement: Agreement | null;
  rationale: string | null;
  judgeCostUsd: number | null;
  /** Judged in one order only: the one its first judge is shown; null: in both. */
  oneOrder: Order | null;
  /** How often each of its verdicts is asked for again in the same order. */
  repeats: number;
  /** By judge, order and repeat. */
  verdicts: RecordedVerdict[];
}

export interface RecordedVerdict {
  order: Order;
  /** `provider:model` */
  judge: string;
  /** 0: the verdict that counts; from 1: asked again in the same order, in no outcome. */
  repeat: number;
  state: VerdictState;
  winnerPosition: 'first' | 'second' | 'tie' | null;
  reason: string | null;
  detail: string | null;
  rationale: string | null;
  scores: { criterion: string; first: number; second: number }[] | null;
  callKey: string;
}

export interface RecordedGoldHit {
  hypothesisId: string;
  goldSet: string;
  entity: string;
  field: string;
  alias: string;
  kind: 'proposed' | 'mentioned';
  excerpt: string;
  origin: 'model' | 'tool' | 'prompt';
  originDocument: string | null;
}

/** Where a gold set came from: this program's own, or somebody's file. */
export type GoldSetOrigin = 'registered' | 'file';

/** What a bench came to against a set after the fact, kept together with the set as it was then. */
export interface RecordedRescore {
  goldSet: GoldSet;
  origin: GoldSetOrigin;
  /** In the order of the plan. */
  candidates: GoldScore[];
  /** In the order of slots, then as they stand in the text. */
  hits: RescoreHit[];
  rescoredAt: string;
}

export type RescoreHit = GoldHit & { hypothesisId: string };

export interface RecordedBudget {
  id: string;
  kind: 'candidate' | 'judge' | 'bench';
  capUsd: number | null;
  heldUsd: number;
  exceededCapUsd: number | null;
  closedBy: string | null;
}

/** One attempt at a call, without its words. */
export interface RecordedCall {
  key: string;
  attempt: number;
  epoch: number;
  kind: CallKind;
  provider: string;
  model: string;
  scopeIds: string[];
  state: CallState;
  requestSha256: string;
  requestBytes: number;
  requestId: string | null;
  reportedModel: string | null;
  failureKind: string | null;
  httpStatus: number | null;
  boundUsd: number;
  reportedUsd: number | null;
  computedUsd: number | null;
  costUsd: number | null;
  chargedUsd: number;
  overrunUsd: number | null;
  inputTokens: number | null;
  cachedInputTokens: number | null;
  cacheWriteTokens: number | null;
  outputTokens: number | null;
  reasoningTokens: number | null;
  sentAt: string;
  endedAt: string | null;
  latencyMs: number | null;
}

/** An attempt with its words, as they were sent and received. */
export interface RecordedAttempt extends RecordedCall {
  request: string;
  response: string | null;
}
