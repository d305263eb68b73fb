import { resultsPage } from '../../activities/reporting/markdown/results-page';
import { reportOptions } from '../../activities/reporting/report-options';
import { writeFileWhole } from '../../activities/reporting/write-file';
import { type BenchReport, reportBench } from '../../core/report/bench-report';
import { reportBenches } from '../../core/report/benches-report';
import type { Database } from '../../db/database';
import { readBenchIds, readRecordedBench, readSnapshot } from '../../db/export-reads';

/**
 * Writes the page of all benches. One bench is read at a time, and of each only its report is kept.
 * @returns how many benches are on it
 */
export async function writeResultsFile(db: Database, path: string): Promise<number> {
  const options = reportOptions();
  const reports: BenchReport[] = [];
  await readSnapshot(db, async (snapshot) => {
    for (const benchId of await readBenchIds(snapshot)) {
      reports.push(reportBench(await readRecordedBench(snapshot, benchId), options));
    }
  });
  writeFileWhole(path, resultsPage(reportBenches(reports, options.themeSets)));
  return reports.length;
}
