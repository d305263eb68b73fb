import { NativeConnection } from '@temporalio/worker';
import type { BenchInput } from '../../core/bench-input';
import { hasSearchAttribute } from '../../workers/search-attribute';
import { testTemporal } from '../stack/test-temporal';
import { type BenchWorker, startBenchWorker } from '../workflows/bench-worker';
import { createNamespace, temporalCli } from '../workflows/temporal-cli';

const INPUT: BenchInput = {
  goal: 'Find a drug for a disease that has none.',
  candidates: ['one=sim:alder@direct', 'two=sim:elm@direct'],
  judge: 'sim:referee',
  goldSet: 'none',
  n: 1,
  matches: 1,
};

/** A namespace of its own: custom search attributes are a namespace's. */
const temporal = { ...testTemporal(), namespace: `without-${testTemporal().taskQueue}` };
let connection: NativeConnection;
let worker: BenchWorker;
beforeAll(async () => {
  await createNamespace(temporal);
  connection = await NativeConnection.connect({ address: temporal.address });
  const hasBenchIdAttribute = () => hasSearchAttribute(connection, temporal.namespace, 'bench_id');
  worker = await startBenchWorker({ hasBenchIdAttribute }, {}, temporal);
});
afterAll(async () => {
  await worker.close();
  await connection.close();
});

async function customAttributes(): Promise<string[]> {
  const { namespace } = temporal;
  const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
  return Object.keys(customAttributes ?? {});
}

test('in a namespace that has no bench_id a bench runs to its end, its id in memo, result and query', async () => {
  expect(await customAttributes()).not.toContain('bench_id');
  const handle = await worker.start(INPUT);
  const { benchId, status } = await handle.result();
  expect(status).toBe('finished');
  const { memo, typedSearchAttributes } = await handle.describe();
  expect(memo).toMatchObject({ bench_id: benchId });
  expect(typedSearchAttributes.getAll().map(({ key }) => key.name)).not.toContain('bench_id');
  expect(await handle.query('progress')).toMatchObject({ benchId });
});

test('once the namespace has it, the next bench is found by it, without another start of the worker', async () => {
  const create = ['operator', 'search-attribute', 'create', '--name', 'bench_id', '--type', 'Keyword'];
  await temporalCli(temporal, ...create);
  expect(await customAttributes()).toContain('bench_id');
  const handle = await worker.start(INPUT);
  const { benchId } = await handle.result();
  const { typedSearchAttributes } = await handle.describe();
  const attributes = typedSearchAttributes.getAll().map(({ key, value }) => [key.name, value]);
  expect(attributes).toContainEqual(['bench_id', benchId]);
});

test('where the server will not say which attributes it has, it has none', async () => {
  expect(await hasSearchAttribute(connection, 'no-such-namespace', 'bench_id')).toBe(false);
});
