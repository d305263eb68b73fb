import type { RecordedScipivot } from '../core/report/recorded-scipivot';
import type { Database } from './database';
import { insertParts } from './insert-parts';

/** A data set of this name is here with other prompts: the bench's sessions would be taken for answers to those. */
export class DataSetDiffers extends Error {
  constructor(readonly dataSet: string) {
    super(`a SciΠvot data set ${dataSet} with other prompts is in this database already`);
    this.name = 'DataSetDiffers';
  }
}

/**
 * Copies what another database has of a bench's SciΠvot. A data set that is not here yet comes as its public half: no
 * bench can be graded by it until `co-scientist scipivot load` brings its references.
 * @param db as the role that owns the tables
 * @throws DataSetDiffers
 */
export async function insertScipivot(
  db: Database,
  benchId: string,
  scipivot: RecordedScipivot | null,
): Promise<void> {
  if (scipivot === null) return;
  const { dataSet, subjects, sessions, scores, comparisons } = scipivot;
  await insertDataSet(db, scipivot);
  await db
    .insertInto('bench_scipivot_subjects')
    .values(
      subjects.map(({ failureKind, holdReason, ...subject }) => ({
        ...subject,
        bench_id: benchId,
        set_name: dataSet.name,
        failure_kind: failureKind,
        hold_reason: holdReason,
      })),
    )
    .execute();
  for (const some of insertParts(sessions)) {
    const rows = some.map(({ callKey, ...session }) => ({
      ...session,
      bench_id: benchId,
      call_key: callKey,
    }));
    await db.insertInto('bench_scipivot_sessions').values(rows).execute();
  }
  for (const { subject, score } of scores) {
    const row = { bench_id: benchId, subject, score: JSON.stringify(score) };
    await db.insertInto('bench_scipivot_scores').values(row).execute();
  }
  for (const { role, comparison } of comparisons) {
    const row = { bench_id: benchId, role, comparison: JSON.stringify(comparison) };
    await db.insertInto('bench_scipivot_comparisons').values(row).execute();
  }
}

async function insertDataSet(db: Database, { dataSet, prompts }: RecordedScipivot): Promise<void> {
  const { name, nCases, promptsSha256, promptsBytes, isPinned } = dataSet;
  const inserted = await db
    .insertInto('bench_scipivot_sets')
    .values({
      name,
      n_cases: nCases,
      prompts_sha256: promptsSha256,
      prompts_bytes: promptsBytes,
      is_pinned: isPinned,
    })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .executeTakeFirst();
  if ((inserted.numInsertedOrUpdatedRows ?? 0n) === 0n) {
    const known = await db
      .selectFrom('bench_scipivot_sets')
      .select('prompts_sha256')
      .where('name', '=', name)
      .executeTakeFirst();
    if (known?.prompts_sha256 !== promptsSha256) throw new DataSetDiffers(name);
    return;
  }
  for (const some of insertParts(prompts)) {
    const rows = some.map(({ caseId, ...prompt }) => ({ ...prompt, set_name: name, case_id: caseId }));
    await db.insertInto('bench_scipivot_prompts').values(rows).execute();
  }
}
