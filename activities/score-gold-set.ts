import type { BenchPlan } from '../core/bench-plan';
import { findGoldHits, type GoldSet } from '../core/gold-set';
import { type ConversationText, findHitOrigin } from '../core/hit-origin';
import { readOwnedBench } from '../db/benches';
import type { Database } from '../db/database';
import { saveGoldHits } from '../db/gold-hits';
import type { GoldHitsTable } from '../db/gold-tables';
import { readSlots, type Slot } from '../db/hypotheses';
import { readToolCalls, type StoredToolCall } from '../db/tool-calls';
import { findGoldSet } from '../presets';
import type { ActivityDeps, BenchRef } from './activity-deps';

/** Holds the kept hypotheses against the answer key. Runs where the grader's role is. */
export function createScoreGoldSet({ graderDb }: Pick<ActivityDeps, 'graderDb'>) {
  return async function scoreGoldSet(input: BenchRef): Promise<number> {
    if (!graderDb) throw new Error('this worker has no grader role (set DATABASE_GRADER_URL)');
    const { plan } = await readOwnedBench(graderDb, input);
    if (!plan.goldSet) return 0;
    const goldSet = findGoldSet(plan.goldSet);
    let found = 0;
    for (const slot of await readSlots(graderDb, { benchId: input.benchId })) {
      if (slot.state !== 'reviewed' && slot.state !== 'in_tournament') continue;
      const hits = await scoreSlot(graderDb, plan, goldSet, slot);
      await saveGoldHits(graderDb, hits);
      found += hits.length;
    }
    return found;
  };
}

async function scoreSlot(
  db: Database,
  plan: BenchPlan,
  goldSet: GoldSet,
  slot: Slot,
): Promise<GoldHitsTable[]> {
  const hits = slot.record ? findGoldHits(goldSet, slot.record) : [];
  if (hits.length === 0) return [];
  const conversation = writeConversation(plan, await readToolCalls(db, slot.id));
  return hits.map((hit) => {
    const entity = goldSet.entities.find(({ name }) => name === hit.entity);
    const { origin, document } = entity
      ? findHitOrigin(entity, conversation)
      : { origin: 'model' as const, document: null };
    return {
      ...hit,
      hypothesis_id: slot.id,
      gold_set: goldSet.name,
      bench_id: slot.benchId,
      origin,
      origin_document: document,
    };
  });
}

/** Turn by turn: what the model asked in it, then what it was answered. */
function writeConversation(plan: BenchPlan, calls: StoredToolCall[]): ConversationText[] {
  const turns = [...new Set(calls.map((call) => call.turn))];
  return [
    { from: 'prompt', text: plan.goal, document: null },
    ...turns.flatMap((turn) => {
      const inTurn = calls.filter((call) => call.turn === turn);
      return [...inTurn.map(questionOf), ...inTurn.flatMap(answersOf)];
    }),
  ];
}

function questionOf(call: StoredToolCall): ConversationText {
  return { from: 'model', text: call.arguments ?? '', document: null };
}

function answersOf({ answer }: StoredToolCall): ConversationText[] {
  if (!answer) return [];
  return [
    ...answer.documents.map(
      (d): ConversationText => ({ from: 'tool', text: `${d.title}\n${d.excerpt}`, document: d.url }),
    ),
    { from: 'tool', text: answer.text, document: null },
  ];
}
