import { sql } from 'kysely';
import { candidateScope, judgeScope } from '../core/ids';
import type { AnchorScores } from '../core/nightly/judge-evidence';
import type { JudgedNight, NightScores } from '../core/nightly/judge-nights';
import type { PanelCandidate } from '../core/nightly/panel';
import type { ModelChange, ReportedModels } from '../core/nightly/reported-models';
import type { NightlyVerdict } from '../core/ratings/nightly-evidence';
import type { Database } from './database';
import type { NightRef } from './nightlies';
import { toJsonb } from './storable-text';

/** Hypotheses of a bench that have played, with their Elo, in the order of candidates and slots. */
export async function readPanelCandidates(db: Database, benchId: string): Promise<PanelCandidate[]> {
  const rows = await db
    .selectFrom('bench_hypotheses as h')
    .innerJoin('bench_candidates as c', 'c.id', 'h.candidate_id')
    .select(['h.id as hypothesisId', 'h.candidate_id as candidateId', 'h.elo'])
    .where('h.bench_id', '=', benchId)
    .where('h.state', '=', 'in_tournament')
    .where('h.elo', 'is not', null)
    .orderBy('c.position')
    .orderBy('h.k')
    .execute();
  return rows.map(({ elo, ...row }) => ({ ...row, elo: elo ?? 0 }));
}

/** The candidate of each hypothesis. */
export async function readSides(db: Database, hypotheses: readonly string[]): Promise<Map<string, string>> {
  if (hypotheses.length === 0) return new Map();
  const rows = await db
    .selectFrom('bench_hypotheses')
    .select(['id', 'candidate_id'])
    .where('id', 'in', hypotheses)
    .execute();
  return new Map(rows.map((row) => [row.id, row.candidate_id]));
}

/** What the judged nights of a baseline came to, in their order; candidates by label. */
export interface StoredNight {
  night: number;
  scores: ReadonlyMap<string, number | null>;
  anchors: AnchorScores | null;
}

/** Nights measured against a baseline, in the order they were judged in; a score is null where too little was played. */
export async function readScoredNights(
  db: Database,
  { nightlyId, baseline }: NightRef,
): Promise<StoredNight[]> {
  const nights = await db
    .selectFrom('bench_nights')
    .select(['night', 'anchors'])
    .where('nightly_id', '=', nightlyId)
    .where('baseline', '=', baseline)
    .where('kind', '=', 'measured')
    .where('judged_at', 'is not', null)
    // As they came in: one that was resumed late is the last.
    .orderBy('judged_at')
    .orderBy('night')
    .execute();
  const scores = await db
    .selectFrom('bench_night_candidates')
    .select(['night', 'label', 'score'])
    .where('nightly_id', '=', nightlyId)
    .execute();
  return nights.map(({ night, anchors }) => ({
    night,
    anchors,
    scores: new Map(scores.filter((row) => row.night === night).map(({ label, score }) => [label, score])),
  }));
}

export interface NightResult {
  labels: string[];
  scores: NightScores;
  played: { played: number; planned: number }[];
  judged: JudgedNight;
  models: ReportedModels;
  changes: ModelChange[];
}

/**
 * Writes what a night came to, all at once; a night that is judged already stays as it is.
 * @param tx a transaction
 */
export async function saveNight(
  tx: Database,
  { nightlyId, night }: NightRef,
  { labels, scores, played, judged, models, changes }: NightResult,
): Promise<void> {
  const row = await tx
    .updateTable('bench_nights')
    .set({
      judged_at: sql<Date>`clock_timestamp()`,
      anchors: scores.anchors === null ? null : toJsonb(scores.anchors),
      judge_value: judged.judge.value,
      judge_highest: judged.judge.highest,
      has_judge_drifted: judged.hasJudgeDrifted,
      models: toJsonb(models),
      changes: toJsonb(changes),
    })
    .where('nightly_id', '=', nightlyId)
    .where('night', '=', night)
    .where('judged_at', 'is', null)
    .returning('night')
    .executeTakeFirst();
  if (!row) return;
  const rows = judged.candidates.map(({ evidence, verdict }, position) => ({
    nightly_id: nightlyId,
    night,
    position,
    label: labels[position] ?? '',
    score: scores.candidates[position] ?? null,
    played: played[position]?.played ?? 0,
    planned: played[position]?.planned ?? 0,
    nights: evidence.nights,
    drop_value: evidence.drop,
    gain_value: evidence.gain,
    highest_drop: evidence.highestDrop,
    highest_gain: evidence.highestGain,
    attainable: evidence.attainable,
    verdict,
  }));
  if (rows.length > 0) await tx.insertInto('bench_night_candidates').values(rows).execute();
}

/** The baseline's night has been played: no verdicts, only what its models report. */
export async function closeBaselineNight(
  db: Database,
  { nightlyId, night }: NightRef,
  models: ReportedModels,
): Promise<void> {
  await db
    .updateTable('bench_nights')
    .set({ judged_at: sql<Date>`clock_timestamp()`, models: toJsonb(models) })
    .where('nightly_id', '=', nightlyId)
    .where('night', '=', night)
    .where('judged_at', 'is', null)
    .execute();
}

/** What answers reported on the first night of a baseline; undefined on that night itself. */
export async function readFirstModels(
  db: Database,
  { nightlyId, baseline, night }: NightRef,
): Promise<ReportedModels | undefined> {
  const row = await db
    .selectFrom('bench_nights')
    .select('models')
    .where('nightly_id', '=', nightlyId)
    .where('baseline', '=', baseline)
    .where('night', '<', night)
    .where('models', 'is not', null)
    .orderBy('night')
    .limit(1)
    .executeTakeFirst();
  return row?.models ?? undefined;
}

/** Reported names of each candidate and of the judge, with the fingerprint where an answer has one. */
export async function readReportedModels(
  db: Database,
  benchId: string,
  candidates: readonly { id: string; label: string }[],
): Promise<ReportedModels> {
  const { rows } = await sql<{ scope_id: string; name: string }>`
    SELECT DISTINCT scope_id, concat_ws(' ', reported_model, substring(response FROM ${FINGERPRINT})) AS name
      FROM bench_llm_calls, unnest(scope_ids) AS scope_id
     WHERE bench_id = ${benchId} AND state = 'settled' AND kind IN ('generation', 'judge')
       AND reported_model IS NOT NULL
     ORDER BY 1, 2`.execute(db);
  const namesIn = (scope: string) => rows.filter((row) => row.scope_id === scope).map(({ name }) => name);
  const all = [
    ...candidates.map(({ id, label }) => [label, namesIn(candidateScope(id))] as const),
    [THE_JUDGE, namesIn(judgeScope(benchId))] as const,
  ];
  return Object.fromEntries(all.filter(([, names]) => names.length > 0));
}

/** No label has a blank. */
const THE_JUDGE = 'the judge';

/** In an answer's JSON text; inside a string of it the quotes would stand behind backslashes. */
const FINGERPRINT = '"system_fingerprint": *"([^"\\\\]{1,80})"';

export interface VerdictOfNight {
  label: string;
  verdict: NightlyVerdict;
  score: number | null;
  highestDrop: number;
}

/** By candidate, in the order of the plan; empty where the night is not judged. */
export async function readVerdicts(
  db: Database,
  { nightlyId, night }: Pick<NightRef, 'nightlyId' | 'night'>,
): Promise<VerdictOfNight[]> {
  return db
    .selectFrom('bench_night_candidates')
    .select(['label', 'verdict', 'score', 'highest_drop as highestDrop'])
    .where('nightly_id', '=', nightlyId)
    .where('night', '=', night)
    .orderBy('position')
    .execute();
}

/** Verdicts of the night that was judged before this one, of the same baseline; empty where there is none. */
export async function readNightBefore(db: Database, night: NightRef): Promise<VerdictOfNight[]> {
  const before = (await readScoredNights(db, night)).filter((other) => other.night !== night.night).at(-1);
  return before ? readVerdicts(db, { nightlyId: night.nightlyId, night: before.night }) : [];
}

/** @returns whether it is this caller's to tell: once a night, and never again */
export async function claimTelling(db: Database, { nightlyId, night }: NightRef): Promise<boolean> {
  const row = await db
    .updateTable('bench_nights')
    .set({ told_state: 'telling' })
    .where('nightly_id', '=', nightlyId)
    .where('night', '=', night)
    .where('told_state', 'is', null)
    .returning('night')
    .executeTakeFirst();
  return row !== undefined;
}

/** Stores whether a notice of a regression that was claimed got through. */
export async function saveTelling(
  db: Database,
  { nightlyId, night }: NightRef,
  state: 'told' | 'failed',
  detail: string,
): Promise<void> {
  await db
    .updateTable('bench_nights')
    .set({ told_state: state, told_detail: detail })
    .where('nightly_id', '=', nightlyId)
    .where('night', '=', night)
    .execute();
}
