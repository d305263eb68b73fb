import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { verifyBundles } from '../../activities/reporting/verify/verify-bundle';
import { writeArtifacts } from '../../activities/reporting/write-artifacts';
import { factsOfRecord } from '../../core/report/facts-of-record';
import { summariseBench } from '../../core/summarise-bench';
import { readSummary } from '../../db/bench-facts';
import { OpponentsMissing } from '../../db/foreign-texts';
import { importBench } from '../../db/import-bench';
import { madeUp } from '../core/report/made-up';
import { asProgramsOfOldWroteIt, BIASED, FAIR, panelNight } from '../core/report/panel-night';
import { testDatabaseOfFile } from '../stack/test-database';

const PINNED = 'bnc_01J0000000000000000000000B';

const db = testDatabaseOfFile().open('owner', { maxConnections: 2 });

test('a night whose opponents are not there is refused by their bench’s name, and none of its rows stay', async () => {
  const { record } = await madeUp();
  const importing = importBench(db, panelNight(record, PINNED), []);
  await expect(importing).rejects.toThrow(OpponentsMissing);
  await expect(importing).rejects.toThrow(`against texts of ${PINNED}, not in this database`);
  expect(await db.selectFrom('bench_runs').select('id').execute()).toEqual([]);
});

test('a night’s rows give the summary that its record gives: of its panel 0 and 2 flips of 4 matches each', async () => {
  const { record: pinned } = await madeUp({ benchId: PINNED });
  await importBench(db, pinned, []);
  const own = await madeUp();
  const night = panelNight(own.record, PINNED);
  await importBench(
    db,
    night,
    own.attempts.map((attempt) => [attempt]),
  );
  const summary = await readSummary(db, night.run.benchId);
  expect(summary.judges.map(({ judge, matches, flips }) => [judge, matches, flips])).toEqual([
    [FAIR, 4, 0],
    [BIASED, 4, 2],
  ]);
  expect(summary).toEqual(summariseBench(factsOfRecord(night)));
});

test('a stored summary of old is read with unknown flips, by show and by export, and its bundle says what was not checked', async () => {
  const own = await madeUp();
  const night = panelNight(own.record, PINNED);
  const { benchId } = night.run;
  const old = asProgramsOfOldWroteIt(summariseBench(factsOfRecord(night)));
  await db
    .updateTable('bench_runs')
    .set({ state: 'finished', summary: JSON.stringify(old) })
    .where('id', '=', benchId)
    .execute();
  expect((await readSummary(db, benchId)).judges.map(({ flips }) => flips)).toEqual([null, null]);
  const root = mkdtempSync(join(tmpdir(), 'old-night-'));
  try {
    const { benchFile } = await writeArtifacts(db, benchId, root);
    // As it was exported then.
    const file = JSON.parse(readFileSync(benchFile, 'utf8'));
    expect(file.summary.judges[1].flips).toBeNull();
    writeFileSync(benchFile, JSON.stringify({ ...file, summary: old }));
    const [verified] = verifyBundles(root).benches;
    expect(verified!.differences.filter(({ subject }) => subject === 'summary')).toEqual([]);
    expect(verified!.unchecked.join()).toContain('how its judges judged, in the summary: unknown');
  } finally {
    rmSync(root, { recursive: true });
  }
});
