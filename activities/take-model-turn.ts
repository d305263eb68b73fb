import { createHash } from 'node:crypto';
import { Context } from '@temporalio/activity';
import type { CallFailure, ToolCall } from '../core/completion';
import type { HypothesisRecord } from '../core/hypothesis';
import { benchScope, candidateScope, generationKey } from '../core/ids';
import { readOwnedBench } from '../db/benches';
import { type Draft, moveSlot, readSlot, type Slot, saveDraft } from '../db/hypotheses';
import { readFirstFailures } from '../db/ledger-reads';
import { saveToolCalls } from '../db/tool-calls';
import { writeAsOwner } from '../db/write-as-owner';
import type { ActivityDeps, BenchRef } from './activity-deps';
import { sortCitations } from './generation/citations';
import { countRepairs } from './generation/conversation';
import { planToolCalls } from './generation/plan-tool-calls';
import { readTurn, type TurnReading } from './generation/read-turn';
import {
  buildTurnRequest,
  isLastTurn,
  isNudgeTurn,
  layDesk,
  readPast,
  type SlotDesk,
} from './generation/slot-desk';
import { paidCall } from './paid-call';

export interface ModelTurnInput extends BenchRef {
  hypothesisId: string;
  /** From 1; goes on over repairs and the nudge. */
  turn: number;
  /** Whether it answers `held`, and asks nobody, once the candidate's first calls have failed in the same way. */
  mayHold?: boolean;
}

export type ModelTurnOutcome =
  | { kind: 'draft' }
  /** Tools to run before the next turn, by their index in this one; those answered already are left out. */
  | { kind: 'tools'; indexes: number[] }
  /** No record yet: the next turn tells the model what was wrong. */
  | { kind: 'again' }
  | { kind: 'failed'; reason: string }
  | { kind: 'held'; reason: string };

/** Broken records a slot may mend. */
const MAX_REPAIRS = 2;

/** One turn of a slot's model: the conversation is rebuilt from rows, the answer paid for once, the record kept. */
export function createTakeModelTurn(deps: ActivityDeps) {
  return async function takeModelTurn(input: ModelTurnInput): Promise<ModelTurnOutcome> {
    const [bench, slot, past] = await Promise.all([
      readOwnedBench(deps.db, input),
      readSlot(deps.db, input.hypothesisId),
      readPast(deps.db, input),
    ]);
    if (slot.state === 'failed') return { kind: 'failed', reason: slot.failureKind ?? 'failed' };
    if (slot.state !== 'planned' && !isNudgeTurn(bench.plan, input.turn)) return { kind: 'draft' };
    const inVain = await findCallsInVain(deps, slot, input);
    if (inVain) return { kind: 'held', reason: inVain };
    const desk = layDesk(deps, bench, slot, past);
    const answer = await paidCall(deps, {
      ...input,
      key: generationKey(slot.id, input.turn),
      kind: 'generation',
      model: desk.candidate,
      scopeIds: [candidateScope(slot.candidateId), benchScope(slot.benchId)],
      request: buildTurnRequest(desk, input.turn),
    });
    if (answer.kind === 'unanswered') return endSlot(deps, desk, input, answer.reason, []);
    const reading = readTurn(answer.completion);
    switch (reading.kind) {
      case 'recorded':
        return keepDraft(deps, desk, input, reading.record);
      case 'tools':
        return keepToolCalls(deps, desk, input, reading.calls);
      case 'broken':
      case 'talk': {
        const repairs = countRepairs([...desk.past, answer]);
        if (repairs <= MAX_REPAIRS && !isLastTurn(desk.plan, input.turn)) return { kind: 'again' };
        return endSlot(deps, desk, input, ...describeEnd(reading));
      }
    }
  };
}

/**
 * How a candidate's first calls failed, if all of them did, and alike. Looked up only where a call is to go out again
 * in a first turn: were any of them answered, its slot would be further.
 */
async function findCallsInVain(
  { db }: ActivityDeps,
  { benchId, candidateId }: Slot,
  { turn, mayHold, epoch }: ModelTurnInput,
): Promise<string | null> {
  if (!mayHold || turn > 1 || Context.current().info.attempt === 1) return null;
  const kinds = await readFirstFailures(
    db,
    { benchId, epoch, scopeId: candidateScope(candidateId) },
    FIRST_CALLS,
  );
  const [kind] = kinds;
  const isAlike = kinds.length === FIRST_CALLS && kinds.every((other) => other === kind);
  return isAlike && kind && SHOW_A_FAULT.has(kind) ? kind : null;
}

const FIRST_CALLS = 3;

/** Of those that may be asked again: being put off is ordinary, and what a dead worker left in doubt says nothing. */
const SHOW_A_FAULT: ReadonlySet<string | null> = new Set<CallFailure>([
  'server_error',
  'timeout',
  'unreadable',
]);

function describeEnd(reading: Extract<TurnReading, { kind: 'broken' | 'talk' }>): [string, string[]] {
  return reading.kind === 'talk' ? ['no_call', []] : [reading.reason, reading.problems];
}

async function keepToolCalls(
  deps: ActivityDeps,
  desk: SlotDesk,
  input: ModelTurnInput,
  calls: ToolCall[],
): Promise<ModelTurnOutcome> {
  if (isLastTurn(desk.plan, input.turn)) return endSlot(deps, desk, input, 'no_call', []);
  const planned = planToolCalls(
    { benchId: input.benchId, hypothesisId: input.hypothesisId, turn: input.turn },
    calls,
    desk.toolCalls.filter((call) => call.turn < input.turn),
    { maxToolCalls: desk.plan.generation.maxToolCalls, offered: desk.tools.map((tool) => tool.name) },
  );
  await saveToolCalls(deps.db, input, planned);
  const toRun = planned.filter((call) => call.answer === null && call.repeats === null);
  return { kind: 'tools', indexes: toRun.map((call) => call.index) };
}

async function keepDraft(
  deps: ActivityDeps,
  desk: SlotDesk,
  input: ModelTurnInput,
  record: HypothesisRecord,
): Promise<ModelTurnOutcome> {
  const { seen, unsupported } = sortCitations(record.citations, desk.toolCalls);
  const draft: Draft = {
    record: { ...record, citations: seen },
    unsupportedCitations: unsupported,
    contentSha256: hashContent(record),
    draftKind: isNudgeTurn(desk.plan, input.turn) ? 'nudged' : 'original',
  };
  await saveDraft(deps.db, input, input.hypothesisId, draft);
  return { kind: 'draft' };
}

/** Equal texts but for case and white space are one idea. */
function hashContent(record: HypothesisRecord): string {
  const text = [record.title, record.summary, record.fullText, record.mechanism]
    .map((part) => part.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim())
    .join('\n');
  return createHash('sha256').update(text, 'utf8').digest('hex');
}

/** A nudge that fails leaves the draft as it is: a duplicate. */
async function endSlot(
  deps: ActivityDeps,
  { plan }: SlotDesk,
  input: ModelTurnInput,
  kind: string,
  problems: string[],
): Promise<ModelTurnOutcome> {
  if (!isNudgeTurn(plan, input.turn)) {
    const reason = { kind, detail: problems.slice(0, 5).join('; ') };
    await writeAsOwner(deps.db, input, (tx) => moveSlot(tx, input.hypothesisId, 'planned', 'failed', reason));
  }
  return { kind: 'failed', reason: kind };
}
