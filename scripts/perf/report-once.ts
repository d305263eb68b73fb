import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { writeOutputs } from '../../activities/reporting/write-outputs';
import { openDatabase } from '../../db/database';
import { writeResultsFile } from '../report/results-file';

/** What one run took. */
export interface ReportTiming {
  /** Artifacts, page and Markdown of the bench. */
  outputsSeconds: number;
  /** The page of all benches. */
  resultsSeconds: number;
  /** Of a processor, the whole process: what a machine that has other things to do does not lengthen. */
  cpuSeconds: number;
  /** The most this process ever held. */
  megabytes: number;
  files: number;
  pageMegabytes: number;
}

/** Run by perf/report.ts: writes a bench's outputs once and prints what that took. */
async function main([url, benchId, folder]: string[]): Promise<ReportTiming> {
  const db = openDatabase(url!, { maxConnections: 2 });
  const reports = join(folder!, 'reports');
  const started = performance.now();
  await writeOutputs(db, benchId!, { artifacts: join(folder!, 'artifacts'), reports });
  const written = performance.now();
  await writeResultsFile(db, join(reports, 'BENCH_RESULTS.md'));
  const ended = performance.now();
  await db.destroy();
  return {
    outputsSeconds: (written - started) / 1000,
    resultsSeconds: (ended - written) / 1000,
    cpuSeconds: (process.cpuUsage().user + process.cpuUsage().system) / 1e6,
    megabytes: process.resourceUsage().maxRSS / 1024,
    files: readdirSync(folder!, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
      .length,
    pageMegabytes: statSync(join(reports, `${benchId}.html`)).size / 1e6,
  };
}

void main(process.argv.slice(2)).then((timing) => console.log(JSON.stringify(timing)));
