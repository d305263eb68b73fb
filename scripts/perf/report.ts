import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openDatabase } from '../../db/database';
import { importBench } from '../../db/import-bench';
import { makeUpBench } from '../made-up/made-up-bench';
import { withOwnPostgres } from './own-postgres';
import type { ReportTiming } from './report-once';

/**
 * How long a bench's artifacts, page and Markdown take, and how much memory, from rows to files, each in a process of
 * its own: a bench of 56 matches and one of 10,000. Prints a table; exits 1 when one takes too much.
 *
 *   npm run perf:report
 */
const BENCHES = [
  { benchId: 'bnc_00000000000000000000000056', candidates: 8, n: 4, matches: 2, mostSeconds: 3 },
  { benchId: 'bnc_00000000000000000000010000', candidates: 5, n: 40, matches: 1000, mostSeconds: 30 },
];
const MOST_MEGABYTES = 500;
const MODELS = ['alder', 'birch', 'cedar', 'dogwood', 'elm', 'fir', 'gorse', 'hazel'];

async function main(): Promise<void> {
  console.log(
    '| matches | calls | import | process | its CPU | artifacts + page + Markdown | page of all | memory | files | page |',
  );
  console.log('|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|');
  await withOwnPostgres(async ({ ownerUrl, folder }) => {
    for (const bench of BENCHES) {
      const { calls, seconds } = await prepare(ownerUrl, bench);
      const started = performance.now();
      const timing = await inOwnProcess([ownerUrl, bench.benchId, join(folder, bench.benchId)]);
      const process_ = (performance.now() - started) / 1000;
      console.log(
        `| ${(bench.candidates * (bench.candidates - 1) * bench.matches) / 2} | ${calls} | ${seconds.toFixed(1)} s | ${process_.toFixed(1)} s | ${timing.cpuSeconds.toFixed(1)} s | ${timing.outputsSeconds.toFixed(1)} s | ${timing.resultsSeconds.toFixed(1)} s | ${timing.megabytes.toFixed(0)} MB | ${timing.files} | ${timing.pageMegabytes.toFixed(1)} MB |`,
      );
      if (process_ > bench.mostSeconds || timing.megabytes > MOST_MEGABYTES) process.exitCode = 1;
    }
  });
}

/** Makes the bench up and imports it. */
async function prepare(
  ownerUrl: string,
  { benchId, candidates, n, matches }: (typeof BENCHES)[number],
): Promise<{ calls: number; seconds: number }> {
  const { record, attempts } = await makeUpBench({
    benchId,
    input: {
      preset: 'demo',
      candidates: MODELS.slice(0, candidates).map((model) => `${model}=sim:${model}@direct`),
      n,
      matches,
    },
  });
  const db = openDatabase(ownerUrl, { maxConnections: 1 });
  const started = performance.now();
  await importBench(
    db,
    record,
    attempts.map((attempt) => [attempt]),
  );
  await db.destroy();
  return { calls: attempts.length, seconds: (performance.now() - started) / 1000 };
}

async function inOwnProcess(args: string[]): Promise<ReportTiming> {
  const program = join(__dirname, 'report-once.ts');
  const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', program, ...args]);
  return JSON.parse(stdout) as ReportTiming;
}

void main();
