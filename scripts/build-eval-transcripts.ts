import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writeArtifacts } from '../activities/reporting/write-artifacts';
import type { BenchInput } from '../core/bench-input';
import type { BenchSummary } from '../core/bench-summary';
import { openDatabase } from '../db/database';
import { inLab } from './chaos/in-lab';
import { WorkerProcess } from './chaos/worker-process';
import { startFastDouble } from './perf/fast-double';
import { PROJECT } from './stack/home';

/**
 * A program: runs a small bench on models of our own and keeps its transcripts for `co-scientist eval`: a pipeline with
 * literature, a raw call, a model that has one idea only, and one that its budget does not suffice for. The checks of eval
 * all find something to look at in it.
 *
 *   npm run eval:transcripts
 */
const SESSION = 'offline';

const INPUT: BenchInput = {
  goal: 'Find an approved drug that could be tried against leukaemic stem cells.',
  candidates: [
    'pipeline=sim:alder@pipeline',
    'raw=sim:hazel@direct',
    'echo=openai-compatible:echo@direct',
    'poor=sim:fir@direct',
  ],
  judge: 'sim:referee',
  prices: {
    'openai-compatible:echo': { inputUsdPerMTok: 0, outputUsdPerMTok: 0 },
    'sim:fir': { inputUsdPerMTok: 100, outputUsdPerMTok: 500 },
  },
  budgetPerCandidateUsd: 4.5,
  goldSet: 'aml-repurposing-paper-top3',
  literature: 'bundled',
  n: 3,
  matches: 1,
  generation: { maxTurns: 4, maxToolCalls: 3 },
  probe: false,
  session: SESSION,
};

async function main(): Promise<void> {
  await inLab(async ({ lab, client, workflowBundle, logFile }) => {
    const double = await startFastDouble('same');
    const site = await lab.createSite();
    const taskQueue = `transcripts-${randomBytes(4).toString('hex')}`;
    const worker = WorkerProcess.start({
      ...{
        site,
        taskQueue,
        providers: double.env,
        workflowBundle,
        leaseSeconds: 9,
        hasGrader: true,
        logFile,
      },
    });
    try {
      await worker.untilReady();
      const options = { taskQueue, workflowId: taskQueue, args: [INPUT] };
      const { benchId } = (await client.workflow.execute('bench', options)) as BenchSummary;
      const root = join(PROJECT, 'presets', 'transcripts');
      await rm(join(root, SESSION), { recursive: true, force: true });
      const db = openDatabase(site.databaseUrl, { maxConnections: 2 });
      const bundle = await writeArtifacts(db, benchId, root);
      await db.destroy();
      console.log(`${bundle.folder}: ${bundle.files} files, ${(bundle.bytes / 1e3).toFixed(0)} kB`);
    } finally {
      await Promise.all([worker.kill(), double.stop()]);
    }
  });
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
