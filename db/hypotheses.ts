import { sql } from 'kysely';
import type { HypothesisState } from '../core/bench-states';
import type { Citation, HypothesisRecord } from '../core/hypothesis';
import type { TrigramText } from '../core/similar-pairs';
import { assertTransition } from '../core/state-transitions';
import type { Database } from './database';
import { toJsonb, toStorable } from './storable-text';
import { changeAsOwner, type Owner } from './write-as-owner';

/** A slot of a candidate, with its record once it has one. */
export interface Slot {
  id: string;
  benchId: string;
  candidateId: string;
  k: number;
  publicId: string;
  state: HypothesisState;
  draftKind: 'original' | 'nudged' | null;
  failureKind: string | null;
  contentSha256: string | null;
  record: HypothesisRecord | null;
}

export interface Draft {
  record: HypothesisRecord;
  unsupportedCitations: Citation[];
  contentSha256: string;
  draftKind: 'original' | 'nudged';
}

/** @throws NoResultError when there is no such slot */
export async function readSlot(db: Database, hypothesisId: string): Promise<Slot> {
  const row = await db
    .selectFrom('bench_hypotheses')
    .selectAll()
    .where('id', '=', hypothesisId)
    .executeTakeFirstOrThrow();
  return toSlot(row);
}

/** Slots in the order of candidates and k. */
export async function readSlots(
  db: Database,
  where: { candidateId: string } | { benchId: string },
): Promise<Slot[]> {
  const [column, value] =
    'candidateId' in where
      ? (['bench_hypotheses.candidate_id', where.candidateId] as const)
      : (['bench_hypotheses.bench_id', where.benchId] as const);
  const rows = await db
    .selectFrom('bench_hypotheses')
    .innerJoin('bench_candidates', 'bench_candidates.id', 'bench_hypotheses.candidate_id')
    .selectAll('bench_hypotheses')
    .where(column, '=', value)
    .orderBy('bench_candidates.position')
    .orderBy('bench_hypotheses.k')
    .execute();
  return rows.map(toSlot);
}

/**
 * Only a planned slot takes its first draft, only an original draft a nudged one: a repeat changes nothing.
 * @throws BenchTakenOver
 */
export async function saveDraft(
  db: Database,
  owner: Owner,
  hypothesisId: string,
  draft: Draft,
): Promise<void> {
  const record = toStorable(draft.record);
  const update = db
    .updateTable('bench_hypotheses')
    .set({
      state: 'draft',
      draft_kind: draft.draftKind,
      title: record.title,
      summary: record.summary,
      full_text: record.fullText,
      mechanism: record.mechanism,
      entities: toJsonb(record.entities),
      citations: toJsonb(record.citations),
      unsupported_citations: toJsonb(draft.unsupportedCitations),
      falsification: record.falsification,
      content_sha256: draft.contentSha256,
    })
    .where('id', '=', hypothesisId);
  const allowed =
    draft.draftKind === 'original'
      ? update.where('state', '=', 'planned')
      : update.where('state', '=', 'draft').where('draft_kind', '=', 'original');
  await changeAsOwner(db, owner, async (isOwner) => {
    const result = await allowed.where(isOwner).executeTakeFirst();
    return result.numUpdatedRows;
  });
}

/**
 * Moves a slot from one state to another; in any other state it stays: somebody was here before.
 * @throws IllegalTransition
 */
export async function moveSlot(
  db: Database,
  hypothesisId: string,
  from: HypothesisState,
  to: HypothesisState,
  reason?: { kind: string; detail?: string; duplicateOf?: string },
): Promise<void> {
  assertTransition('hypothesis', from, to);
  await db
    .updateTable('bench_hypotheses')
    .set({
      state: to,
      failure_kind: reason?.kind ?? null,
      failure_detail: reason?.detail ?? null,
      duplicate_of: reason?.duplicateOf ?? null,
    })
    .where('id', '=', hypothesisId)
    .where('state', '=', from)
    .execute();
}

/** What a candidate's drafts say in title, summary and mechanism, in slot order: Postgres takes each apart once. */
export async function readTrigrams(db: Database, candidateId: string): Promise<TrigramText[]> {
  const { rows } = await sql<TrigramText>`
    SELECT id, array_to_string(show_trgm(concat_ws(E'\\n', title, summary, mechanism)), ',') AS trigrams
      FROM bench_hypotheses
     WHERE candidate_id = ${candidateId} AND content_sha256 IS NOT NULL
     ORDER BY k`.execute(db);
  return rows;
}

interface SlotRow extends RecordColumns {
  id: string;
  bench_id: string;
  candidate_id: string;
  k: number;
  public_id: string;
  state: HypothesisState;
  draft_kind: 'original' | 'nudged' | null;
  failure_kind: string | null;
}

interface RecordColumns {
  content_sha256: string | null;
  title: string | null;
  summary: string | null;
  full_text: string | null;
  mechanism: string | null;
  entities: string[] | null;
  citations: Citation[] | null;
  falsification: string | null;
}

function toSlot(row: SlotRow): Slot {
  return {
    id: row.id,
    benchId: row.bench_id,
    candidateId: row.candidate_id,
    k: row.k,
    publicId: row.public_id,
    state: row.state,
    draftKind: row.draft_kind,
    failureKind: row.failure_kind,
    contentSha256: row.content_sha256,
    record: toRecord(row),
  };
}

/** null: nothing has been recorded. */
export function toRecord(row: RecordColumns): HypothesisRecord | null {
  if (row.content_sha256 === null) return null;
  return {
    title: row.title ?? '',
    summary: row.summary ?? '',
    fullText: row.full_text ?? '',
    mechanism: row.mechanism ?? '',
    entities: row.entities ?? [],
    citations: row.citations ?? [],
    falsification: row.falsification ?? '',
  };
}
