import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { checkCut } from '../../scripts/chaos/pipeline/check-cut';
import type { CutResult } from '../../scripts/chaos/pipeline/cut-bench';
import { type Cut, describeCut } from '../../scripts/chaos/pipeline/cuts';
import { Lane } from '../../scripts/chaos/pipeline/lane';
import { endAllWorkers } from '../../scripts/chaos/worker-process';
import { bundleVariable } from '../../scripts/stack/cached-workflow-bundle';
import { createTestDatabase, type TestDatabase } from '../stack/test-database';
import { testTemporal } from '../stack/test-temporal';

/**
 * Six of the 78 places at which `npm run chaos:pipeline` kills a worker with kill -9: every point of a model call once,
 * and two more where something else is to be saved. Two kills, for time's sake: five generations die with one worker,
 * each at its own place.
 */
const CUTS: { cut: Cut; paid: number; kill: number }[] = [
  { cut: { at: 'asked', turn: 3 }, paid: 13, kill: 0 },
  { cut: { at: 'answered', turn: 6 }, paid: 13, kill: 0 },
  { cut: { at: 'settled', turn: 8 }, paid: 12, kill: 0 },
  { cut: { at: 'settled', turn: 12 }, paid: 12, kill: 0 },
  { cut: { at: 'completed', activity: 'takeModelTurn', turn: 10 }, paid: 12, kill: 0 },
  { cut: { at: 'completed', activity: 'runTool', turn: 4, index: 0 }, paid: 12, kill: 1 },
];

let folder: string;
let database: TestDatabase;
let connection: Connection;
let lane: Lane;
let undisturbed: CutResult;
let results: CutResult[];
beforeAll(async () => {
  const temporal = testTemporal();
  folder = await mkdtemp(join(tmpdir(), 'co-scientist-cuts-'));
  database = await createTestDatabase();
  connection = await Connection.connect({ address: temporal.address });
  const site = {
    databaseUrl: database.workerUrl,
    graderUrl: database.graderUrl,
    temporalAddress: temporal.address,
    namespace: temporal.namespace,
  };
  lane = await Lane.open({
    client: new Client({ connection, namespace: temporal.namespace }),
    site,
    workflowBundle: await bundleVariable(),
    leaseSeconds: 3,
    logFile: join(folder, 'worker.log'),
  });
  const cutsOf = (n: number) => CUTS.filter(({ kill }) => kill === n).map(({ cut }) => cut);
  results = await lane.runCuts(cutsOf(0));
  results.push(...(await lane.runCuts(cutsOf(1))));
  undisturbed = await lane.runUndisturbed();
}, 240_000);
afterAll(async () => {
  await lane?.close();
  endAllWorkers();
  await connection?.close();
  await database?.drop();
  await rm(folder, { recursive: true, force: true });
});

test.each(CUTS.map(({ cut, paid }, i) => ({ where: describeCut(cut), paid, i })))(
  'killed at $where, a generation of 12 turns and 30 tool calls ends with the same hypothesis, $paid calls paid',
  ({ i, paid }) => {
    const result = results[i]!;
    expect(checkCut(result, undisturbed)).toEqual([]);
    // After a completion the next call may just have gone out.
    expect(result.paidCalls - (result.cut?.at === 'completed' ? result.inDoubt : 0)).toBe(paid);
  },
);

test('3 workers were started: two were killed', () => {
  expect(lane.workerStarts).toBe(3);
});

test('its history stays below 500 events and 200 KB', () => {
  const { history } = undisturbed;
  expect(history.events).toBeLessThan(500);
  expect(history.bytes).toBeLessThan(200_000);
  expect(history.events).toBeGreaterThan(3 * 42); // 12 turns and 30 tools are at least three events each
});
