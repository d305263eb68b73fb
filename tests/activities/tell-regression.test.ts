import { setTimeout as sleep } from 'node:timers/promises';
import type { ActivityDeps } from '../../activities/activity-deps';
import { createTellRegression } from '../../activities/tell-regression';
import { createNightly } from '../../db/nightlies';
import { seedBench } from '../db/seed-bench';
import { closedPortUrl, type RawDouble, type RawReply, startRawDouble } from '../doubles/raw-llm-double';
import { testDatabaseOfFile } from '../stack/test-database';

const db = testDatabaseOfFile().open('worker');
let endpoint: RawDouble;
let reply: () => RawReply | Promise<RawReply>;
beforeAll(async () => {
  endpoint = await startRawDouble(() => reply());
});
afterAll(async () => {
  delete process.env.REGRESSION_HOOK;
  await endpoint.stop();
});
beforeEach(() => {
  reply = () => ({ kind: 'json', status: 204, body: null });
  endpoint.requests.length = 0;
});

let nightlies = 0;

/** A judged night of its own nightly, in which `alpha` has regressed and `beta` has not. */
async function regressedNight(webhook: string): Promise<{ benchId: string; epoch: number; id: string }> {
  nightlies += 1;
  const id = `nly_${String(nightlies).padStart(26, '0')}`;
  const benchId = await seedBench(db);
  const onRegression = { kind: 'webhook' as const, target: webhook };
  const settings = { name: `watch-${nightlies}`, budgetUsd: 20, alpha: 0.05, seed: 1, onRegression };
  const input = { goal: 'g', candidates: ['a=sim:a', 'b=sim:b'], judge: 'sim:j' };
  expect(await createNightly(db, { id, input, ...settings }, null, async () => 1)).toEqual({ begun: 1 });
  await db
    .insertInto('bench_nights')
    .values({
      ...{
        nightly_id: id,
        night: 2,
        kind: 'measured',
        baseline: 1,
        bench_id: benchId,
        judged_at: new Date(),
      },
      ...{ namespace: 'test', workflow_id: `w-${id}`, first_run_id: `r-${id}` },
    })
    .execute();
  const same = { nightly_id: id, night: 2, played: 28, planned: 28, nights: 1, attainable: 40 };
  const evidence = { drop_value: 30, gain_value: 0, highest_gain: 0 };
  await db
    .insertInto('bench_night_candidates')
    .values([
      {
        ...same,
        ...evidence,
        position: 0,
        label: 'alpha',
        score: 0.3,
        highest_drop: 30,
        verdict: 'regressed',
      },
      { ...same, ...evidence, position: 1, label: 'beta', score: 0.5, highest_drop: 1, verdict: 'no_change' },
    ])
    .execute();
  return { benchId, epoch: 1, id };
}

function tell(night: { benchId: string; epoch: number }) {
  return createTellRegression({ db } as ActivityDeps)(night);
}

async function toldOf({ id }: { id: string }) {
  const nights = db.selectFrom('bench_nights').select(['told_state', 'told_detail']);
  return nights.where('nightly_id', '=', id).executeTakeFirstOrThrow();
}

test('a webhook hears of a regression once, with the body the guide shows, however often it is asked for', async () => {
  const night = await regressedNight(endpoint.url);
  expect(await tell(night)).toBe('told');
  expect(await tell(night)).toBe('nothing');
  expect(endpoint.requests).toHaveLength(1);
  expect(endpoint.requests[0]?.headers['content-type']).toBe('application/json');
  expect(endpoint.requests[0]?.body).toEqual({
    nightly: `watch-${nightlies}`,
    night: 2,
    benchId: night.benchId,
    regressed: [{ label: 'alpha', score: 0.3, evidence: 30 }],
    verdicts: { alpha: 'regressed', beta: 'no_change' },
  });
  expect(await toldOf(night)).toEqual({ told_state: 'told', told_detail: 'HTTP 204' });
});

test('of several workers that tell at once, one does', async () => {
  const night = await regressedNight(endpoint.url);
  const outcomes = await Promise.all(Array.from({ length: 8 }, () => tell(night)));
  expect(outcomes.filter((outcome) => outcome === 'told')).toHaveLength(1);
  expect(endpoint.requests).toHaveLength(1);
});

test('env:NAME is read from the worker’s environment, and its URL is in no row', async () => {
  process.env.REGRESSION_HOOK = `${endpoint.url}/services/T0/S3CRET`;
  const night = await regressedNight('env:REGRESSION_HOOK');
  expect(await tell(night)).toBe('told');
  expect(endpoint.requests[0]?.path).toContain('/services/T0/S3CRET');
  const rows = [
    await db.selectFrom('bench_nightlies').selectAll().where('id', '=', night.id).execute(),
    await db.selectFrom('bench_nights').selectAll().where('nightly_id', '=', night.id).execute(),
  ];
  expect(JSON.stringify(rows)).not.toContain('S3CRET');
});

test('a URL that was read from a file, line end and all, is posted to', async () => {
  process.env.REGRESSION_HOOK = `${endpoint.url}/services/T1\n`;
  expect(await tell(await regressedNight('env:REGRESSION_HOOK'))).toBe('told');
  expect(endpoint.requests.map(({ path }) => path)).toEqual(['/services/T1']);
});

test.each(['not a URL', 'ftp://hidden.example/x', 'http://user:hidden@127.0.0.1:9/x'])(
  'a variable that holds %s is told as no URL to post to, not as a dropped connection, and without its value',
  async (value) => {
    process.env.REGRESSION_HOOK = value;
    const night = await regressedNight('env:REGRESSION_HOOK');
    expect(await tell(night)).toBe('failed');
    expect((await toldOf(night)).told_detail).toBe('not an http(s) URL without a user: nothing was sent');
  },
);

test.each<[string, () => Promise<string> | string, RawReply, RegExp]>([
  ['refuses', () => endpoint.url, { kind: 'json', status: 500, body: {} }, /^HTTP 500$/],
  ['sends elsewhere', () => endpoint.url, redirect(), /^HTTP 307$/],
  ['breaks off', () => endpoint.url, { kind: 'reset' }, /^\w+$/],
  ['is not there', () => closedPortUrl(), { kind: 'reset' }, /^\w+$/],
  [
    'is named, and this worker has no such variable',
    () => 'env:NOT_SET_HERE',
    { kind: 'reset' },
    /no NOT_SET_HERE$/,
  ],
])(
  'an endpoint that %s is written down as failed, once and without its address',
  async (_, target, answer, detail) => {
    reply = () => answer;
    const url = await target();
    const night = await regressedNight(url);
    expect(await tell(night)).toBe('failed');
    expect(await tell(night)).toBe('nothing');
    const told = await toldOf(night);
    expect(told).toEqual({ told_state: 'failed', told_detail: expect.stringMatching(detail) });
    expect(told.told_detail).not.toContain('127.0.0.1');
    await sleep(50);
    expect(endpoint.requests.length).toBeLessThanOrEqual(1);
  },
);

function redirect(): RawReply {
  return { kind: 'json', status: 307, headers: { location: 'http://127.0.0.1:9/' }, body: {} };
}
