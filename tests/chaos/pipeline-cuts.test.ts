import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { checkCut } from '../../scripts/chaos/pipeline/check-cut';
import { type CutBed, type CutResult, runCut } from '../../scripts/chaos/pipeline/cut-run';
import { type Cut, describeCut } from '../../scripts/chaos/pipeline/cuts';
import { endAllWorkers } from '../../scripts/chaos/worker-process';
import { createTestDatabase, type TestDatabase } from '../stack/test-database';
import { testTemporal } from '../stack/test-temporal';
import { workflowBundle } from '../workflows/workflow-bundle';

/**
 * Six of the 78 places at which `npm run chaos:pipeline` kills a worker with kill -9, one run each, side by side:
 * every point of a model call once, and two more where something else is to be saved.
 */
const CUTS: { cut: Cut; paid: number }[] = [
  { cut: { at: 'asked', turn: 3 }, paid: 13 },
  { cut: { at: 'answered', turn: 6 }, paid: 13 },
  { cut: { at: 'settled', turn: 8 }, paid: 12 },
  { cut: { at: 'completed', activity: 'takeModelTurn', turn: 10 }, paid: 12 },
  { cut: { at: 'completed', activity: 'runTool', turn: 4, index: 0 }, paid: 12 },
  { cut: { at: 'settled', turn: 12 }, paid: 12 },
];

const TIMEOUT_MS = 240_000;

let folder: string;
let database: TestDatabase;
let connection: Connection;
let undisturbed: Promise<CutResult>;
let runs: Promise<CutResult>[];
beforeAll(async () => {
  const temporal = testTemporal();
  folder = await mkdtemp(join(tmpdir(), 'co-scientist-cuts-'));
  database = await createTestDatabase();
  connection = await Connection.connect({ address: temporal.address });
  const bundle = await workflowBundle();
  const bed: CutBed = {
    client: new Client({ connection, namespace: temporal.namespace }),
    site: {
      databaseUrl: database.workerUrl,
      graderUrl: database.graderUrl,
      temporalAddress: temporal.address,
      namespace: temporal.namespace,
    },
    workflowBundle: 'codePath' in bundle ? bundle.codePath : '',
    leaseSeconds: 3,
    logFile: join(folder, 'worker.log'),
  };
  undisturbed = runCut(bed, null);
  runs = CUTS.map(({ cut }) => runCut(bed, cut));
  await Promise.allSettled([undisturbed, ...runs]);
}, TIMEOUT_MS);
afterAll(async () => {
  endAllWorkers();
  await connection.close();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

test.each(CUTS.map(({ cut, paid }, i) => ({ where: describeCut(cut), paid, i })))(
  'killed at $where, a generation of 12 turns and 30 tool calls ends with the same hypothesis, $paid calls paid',
  async ({ i, paid }) => {
    const result = await runs[i]!;
    expect(checkCut(result, await undisturbed)).toEqual([]);
    expect(result.paidCalls - (result.cut?.at === 'completed' ? result.inDoubt : 0)).toBe(paid);
    expect(result.workerStarts).toBe(2);
  },
);

test('its history stays below 500 events and 200 KB', async () => {
  const { history } = await undisturbed;
  expect(history.events).toBeLessThan(500);
  expect(history.bytes).toBeLessThan(200_000);
  expect(history.events).toBeGreaterThan(3 * 42); // 12 turns and 30 tools are at least three events each
});
