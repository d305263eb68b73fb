import type { BenchInput } from '../../core/bench-input';
import type { BenchSummary } from '../../core/bench-summary';
import { readBenchRows } from './bench-rows';
import type { BenchWorker } from './bench-worker';
import { temporalCli } from './temporal-cli';

/** Models that differ in strength and fail in different ways, so that equal rows say something. */
const INPUT: BenchInput = {
  preset: 'demo',
  candidates: [
    'one=sim:alder,skill=2@direct',
    'two=sim:elm,fail=truncated:0.3@direct',
    'three=sim:hazel,skill=-2,fail=no_call:0.2@direct',
  ],
  judge: 'sim:referee,fail=refused:0.15,fail=wrong_tool:0.15',
  goldSet: 'aml-repurposing-paper-5',
  n: 3,
  matches: 3,
  generation: { maxTurns: 2 },
  probe: false,
};

let worker: BenchWorker;
const results: Record<'first' | 'second' | 'otherSeed' | 'fromCli', BenchSummary> = {} as never;

async function runFromCli(input: BenchInput): Promise<BenchSummary> {
  const { temporal } = worker;
  const workflowId = `${temporal.taskQueue}-from-cli`;
  const how = ['--type', 'bench', '--task-queue', temporal.taskQueue, '--workflow-id', workflowId];
  await temporalCli(temporal, 'workflow', 'start', ...how, '--input', JSON.stringify(input));
  return worker.client.workflow.getHandle(workflowId).result();
}

async function readPairings(benchId: string): Promise<string[]> {
  const rows = await worker.db
    .selectFrom('bench_matches')
    .select(['hyp_a', 'hyp_b'])
    .where('bench_id', '=', benchId)
    .orderBy('index')
    .execute();
  return rows.map((row) => `${row.hyp_a} ${row.hyp_b}`.replaceAll(benchId, ''));
}

/** The same input twice, with another seed, and from the CLI. */
export function testSameBench(shared: () => BenchWorker): void {
  beforeAll(async () => {
    worker = shared();
    [results.first, results.second, results.otherSeed, results.fromCli] = await Promise.all([
      worker.run(INPUT),
      worker.run(INPUT),
      worker.run({ ...INPUT, seed: 2 }),
      runFromCli(INPUT),
    ]);
  });

  test('two benches of one seed: 9 matches, 9 slots, and equal rows in every table but for ids, clocks and bounds', async () => {
    const { first, second } = results;
    const rows = await readBenchRows(worker.db, first.benchId);
    expect(await readBenchRows(worker.db, second.benchId)).toEqual(rows);
    // 3 pairs of 3 matches; 3 candidates of 3 slots.
    expect(rows.bench_matches).toHaveLength(9);
    expect(rows.bench_hypotheses).toHaveLength(9);
    expect(first.judge.verdicts - first.judge.invalid).toBeGreaterThan(0);
    expect(first.judge.invalid).toBeGreaterThan(0);
    expect({ ...second, benchId: first.benchId }).toEqual(first);
  });

  test('another seed pairs other slots, and the same seed the same ones: 9 pairings of 9 equal', async () => {
    const pairings = await readPairings(results.first.benchId);
    expect(pairings).toHaveLength(9);
    expect(await readPairings(results.second.benchId)).toEqual(pairings);
    expect(await readPairings(results.otherSeed.benchId)).not.toEqual(pairings);
  });

  test("started by Temporal's own CLI, a bench has the same rows and the same result as from our client", async () => {
    const { first, fromCli } = results;
    expect(await readBenchRows(worker.db, fromCli.benchId)).toEqual(
      await readBenchRows(worker.db, first.benchId),
    );
    expect({ ...fromCli, benchId: first.benchId }).toEqual(first);
  });
}
