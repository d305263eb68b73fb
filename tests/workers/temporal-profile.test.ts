import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import type { BenchSummary } from '../../core/bench-summary';
import { givenTemporal } from '../../scripts/stack/given-temporal';
import { readTemporalConfig } from '../../workers/temporal-config';
import { startTlsFront, type TlsFront } from '../doubles/tls-front';
import { testTemporal } from '../stack/test-temporal';
import { createNamespace } from '../workflows/temporal-cli';
import { createWorkerHome, type WorkerHome, type WorkerProcess } from './worker-process';

const API_KEY = 'key-of-a-cloud-that-is-none';
const temporal = { ...testTemporal(), namespace: `profile-${testTemporal().taskQueue}` };

let front: TlsFront;
let folder: string;
/** All that worker and client are told: a file and a profile in it. */
let profile: Record<string, string>;
let home: WorkerHome;
let worker: WorkerProcess;
beforeAll(async () => {
  front = await startTlsFront(temporal.address, API_KEY);
  folder = await mkdtemp(join(tmpdir(), 'co-scientist-profile-'));
  await writeFile(join(folder, 'authority.pem'), front.authority);
  const file = join(folder, 'temporal.toml');
  await writeFile(
    file,
    [
      '[profile.default]',
      'address = "127.0.0.1:1"',
      '[profile.cloud]',
      `address = "${front.address}"`,
      `namespace = "${temporal.namespace}"`,
      `api_key = "${API_KEY}"`,
      '[profile.cloud.tls]',
      `server_ca_cert_path = "${join(folder, 'authority.pem')}"`,
    ].join('\n'),
  );
  profile = {
    TEMPORAL_CONFIG_FILE: file,
    TEMPORAL_PROFILE: 'cloud',
    TEMPORAL_ADDRESS: '',
    TEMPORAL_NAMESPACE: '',
  };
  await createNamespace(temporal);
  home = await createWorkerHome({ ...profile, CO_SCIENTIST_GRADER: 'elsewhere' }, temporal);
  worker = await home.startWorker();
}, 60_000);
afterAll(async () => {
  await worker?.stop();
  await front?.stop();
  await home?.database.drop();
  if (folder) await rm(folder, { recursive: true, force: true });
});

test('worker and client take address, namespace, TLS and key from one profile, and a bench runs over them', async () => {
  const given = givenTemporal(profile);
  expect(given).toMatchObject({ address: front.address, namespace: temporal.namespace });
  const connection = await Connection.connect(given?.connectionOptions ?? {});
  const client = new Client({ connection, namespace: given?.namespace ?? '' });
  const summary = (await client.workflow.execute('bench', {
    taskQueue: temporal.taskQueue,
    workflowId: `${temporal.taskQueue}-bench`,
    args: [
      {
        goal: 'Find a drug for a disease that has none.',
        candidates: ['one=sim:alder@direct', 'two=sim:elm@direct'],
        judge: 'sim:referee',
        goldSet: 'none',
        n: 1,
        matches: 1,
      },
    ],
  })) as BenchSummary;
  await connection.close();
  expect(summary.status).toBe('finished');
  const namespacesOf = (method: string) =>
    new Set(front.served.filter((it) => it.method === method).map(({ namespace }) => namespace));
  expect(namespacesOf('StartWorkflowExecution')).toEqual(new Set([temporal.namespace]));
  expect(namespacesOf('PollActivityTaskQueue')).toEqual(new Set([temporal.namespace]));
  expect(front.refused).toBe(0);
}, 60_000);

test('with another key the server refuses both: the worker does not get ready', async () => {
  const wrong = { TEMPORAL_API_KEY: 'another-key' };
  await expect(home.startWorker(wrong)).rejects.toThrow(
    /the worker ended with 1: .*valid authentication credentials/,
  );
  const given = givenTemporal({ ...profile, ...wrong });
  await expect(Connection.connect(given?.connectionOptions ?? {})).rejects.toThrow();
  expect(front.refused).toBeGreaterThanOrEqual(2);
}, 60_000);

test('a key that ends in the line end of its file is taken without, and one that no header can hold is named, not tried', async () => {
  const { connectionOptions } = readTemporalConfig({ ...profile, TEMPORAL_API_KEY: `${API_KEY}\n` });
  expect(connectionOptions.apiKey).toBe(API_KEY);
  const wrong = { ...profile, TEMPORAL_API_KEY: `${API_KEY}\u0001` };
  expect(() => readTemporalConfig(wrong)).toThrow(/^TEMPORAL_API_KEY: holds characters that no key has/);
  expect(() => givenTemporal(wrong)).toThrow(/TEMPORAL_API_KEY: holds characters that no key has/);
  expect(() => givenTemporal(wrong)).not.toThrow(API_KEY);
});
