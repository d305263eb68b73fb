import { type Selectable, sql } from 'kysely';
import { askedTogether, LONG_TEXT } from './asked-together';
import type { Database } from './database';
import type { ToolCallsTable, ToolDocument } from './schema';
import { toJsonb } from './storable-text';
import { changeAsOwner, type Owner } from './write-as-owner';

/** A tool call's place: a slot's turn, and its index within the turn, from 0. */
export interface ToolCallRef {
  hypothesisId: string;
  turn: number;
  index: number;
}

export interface PlannedToolCall extends ToolCallRef {
  benchId: string;
  callId: string;
  tool: string;
  /** JSON text; null when the model gave none that can be read. */
  arguments: string | null;
  argumentsSha256: string;
}

export interface StoredToolCall extends PlannedToolCall {
  repeats: { turn: number; index: number } | null;
  /** null while it has not been answered. */
  answer: StoredToolAnswer | null;
}

export interface StoredToolAnswer {
  outcome: 'found' | 'nothing_found' | 'part_found' | 'refused' | 'failed';
  failureKind: string | null;
  text: string;
  documents: ToolDocument[];
  cache: 'hit' | 'miss' | null;
  withheldCount: number;
  latencyMs: number | null;
}

/** Writes a turn's calls once; what stands already stays. @throws BenchTakenOver */
export async function saveToolCalls(
  db: Database,
  owner: Owner,
  calls: readonly StoredToolCall[],
): Promise<void> {
  const rows = calls.map((call) => ({
    hypothesis_id: call.hypothesisId,
    turn: call.turn,
    index: call.index,
    bench_id: call.benchId,
    call_id: call.callId,
    tool: call.tool,
    arguments: call.arguments,
    arguments_sha256: call.argumentsSha256,
    repeats_turn: call.repeats?.turn ?? null,
    repeats_index: call.repeats?.index ?? null,
    state: call.answer ? 'answered' : 'planned',
    ...answerColumns(call.answer),
  }));
  await changeAsOwner(db, owner, async (isOwner) => {
    if (rows.length === 0) return 0n;
    const columns = sql.join(Object.keys(rows[0] ?? {}).map((name) => sql.ref(name)));
    const result = await sql`
      INSERT INTO bench_tool_calls (${columns})
      SELECT ${columns} FROM jsonb_populate_recordset(null::bench_tool_calls, ${toJsonb(rows)}::jsonb)
       WHERE ${isOwner}
      ON CONFLICT (hypothesis_id, turn, index) DO NOTHING`.execute(db);
    return result.numAffectedRows ?? 0n;
  });
}

/** The first answer of a call counts; a repeat changes nothing. @throws BenchTakenOver */
export async function saveToolAnswer(
  db: Database,
  owner: Owner,
  ref: ToolCallRef,
  answer: StoredToolAnswer,
): Promise<void> {
  await saveTogether(db, { owner, ref, answer });
}

interface GivenAnswer {
  owner: Owner;
  ref: ToolCallRef;
  answer: StoredToolAnswer;
}

/** Tools of one turn, and of slots side by side, end together. */
const saveTogether = askedTogether<GivenAnswer, null>(
  ({ owner, answer }) => (answer.text.length > LONG_TEXT ? null : `${owner.benchId}#${owner.epoch}`),
  async (db, given) => {
    const [first] = given;
    if (!first) return [];
    const rows = given.map(({ ref, answer }) => ({
      ...toKey(ref),
      ...answerColumns(answer),
    }));
    const ids = rows.map((row) => row.hypothesis_id);
    // All are locked in one order, or two workers that save the same ones could wait for each other.
    await changeAsOwner(db, first.owner, async (isOwner) => {
      const result = await sql`
        WITH mine AS MATERIALIZED (
          SELECT FROM bench_tool_calls
           WHERE hypothesis_id = ANY (${ids}) AND state = 'planned' AND ${isOwner}
           ORDER BY hypothesis_id, turn, index FOR NO KEY UPDATE
        )
        UPDATE bench_tool_calls c
           SET state = 'answered', outcome = a.outcome, failure_kind = a.failure_kind, answer = a.answer,
               documents = a.documents, cache = a.cache, withheld_count = a.withheld_count, latency_ms = a.latency_ms
          FROM jsonb_populate_recordset(null::bench_tool_calls, ${toJsonb(rows)}::jsonb) AS a
         WHERE c.hypothesis_id = ANY (${ids})
           AND c.hypothesis_id = a.hypothesis_id AND c.turn = a.turn AND c.index = a.index AND c.state = 'planned'
           AND (SELECT count(*) FROM mine) > 0`.execute(db);
      return result.numAffectedRows ?? 0n;
    });
    return given.map(() => null);
  },
);

function answerColumns(answer: StoredToolAnswer | null) {
  return {
    outcome: answer?.outcome ?? null,
    failure_kind: answer?.failureKind ?? null,
    answer: answer?.text ?? null,
    documents: answer?.documents ?? null,
    cache: answer?.cache ?? null,
    withheld_count: answer?.withheldCount ?? null,
    latency_ms: answer?.latencyMs ?? null,
  };
}

/** A slot's calls in the order they were made; a repeat carries the answer of the call it repeats. */
export async function readToolCalls(db: Database, hypothesisId: string): Promise<StoredToolCall[]> {
  const rows = await db
    .selectFrom('bench_tool_calls')
    .selectAll()
    .where('hypothesis_id', '=', hypothesisId)
    .orderBy('turn')
    .orderBy('index')
    .execute();
  const calls = rows.map(toStoredCall);
  return calls.map((call) => ({ ...call, answer: call.answer ?? repeatedAnswer(calls, call.repeats) }));
}

/** One call of a slot; a repeat without the answer of the call it repeats. @returns undefined when there is none */
export async function findToolCall(db: Database, ref: ToolCallRef): Promise<StoredToolCall | undefined> {
  return findTogether(db, ref);
}

const findTogether = askedTogether<ToolCallRef, StoredToolCall | undefined>(
  () => 'calls',
  async (db, refs) => {
    const { rows } = await sql<Selectable<ToolCallsTable>>`
      SELECT c.* FROM bench_tool_calls c, json_to_recordset(${JSON.stringify(refs.map(toKey))}::json) AS a (
               hypothesis_id text, turn integer, index integer)
       WHERE c.hypothesis_id = ANY (${refs.map((ref) => ref.hypothesisId)})
         AND c.hypothesis_id = a.hypothesis_id AND c.turn = a.turn AND c.index = a.index`.execute(db);
    const calls = rows.map(toStoredCall);
    return refs.map((ref) =>
      calls.find(
        (call) =>
          call.hypothesisId === ref.hypothesisId && call.turn === ref.turn && call.index === ref.index,
      ),
    );
  },
);

function toKey({ hypothesisId, turn, index }: ToolCallRef) {
  return { hypothesis_id: hypothesisId, turn, index };
}

function toStoredCall(row: Selectable<ToolCallsTable>): StoredToolCall {
  return {
    hypothesisId: row.hypothesis_id,
    benchId: row.bench_id,
    turn: row.turn,
    index: row.index,
    callId: row.call_id,
    tool: row.tool,
    arguments: row.arguments,
    argumentsSha256: row.arguments_sha256,
    repeats: row.repeats_turn === null ? null : { turn: row.repeats_turn, index: row.repeats_index ?? 0 },
    answer: toStoredAnswer(row),
  };
}

function toStoredAnswer(row: Selectable<ToolCallsTable>): StoredToolAnswer | null {
  if (row.outcome === null) return null;
  return {
    outcome: row.outcome,
    failureKind: row.failure_kind,
    text: row.answer ?? '',
    documents: row.documents ?? [],
    cache: row.cache,
    withheldCount: row.withheld_count ?? 0,
    latencyMs: row.latency_ms,
  };
}

function repeatedAnswer(
  calls: StoredToolCall[],
  repeats: StoredToolCall['repeats'],
): StoredToolAnswer | null {
  if (!repeats) return null;
  return calls.find((c) => c.turn === repeats.turn && c.index === repeats.index)?.answer ?? null;
}
