import fc from 'fast-check';
import type { Stack } from '../../scripts/stack/ensure-stack';
import { environmentChange, fingerprint, workerEnvironment } from '../../scripts/stack/worker-environment';

const LOCAL: Stack = {
  databaseUrls: { owner: 'postgres://owner', worker: 'postgres://worker', grader: 'postgres://grader' },
  temporal: {
    address: '127.0.0.1:7233',
    namespace: 'default',
    connectionOptions: { address: '127.0.0.1:7233' },
    isOurs: true,
  },
  uiUrl: null,
  home: '/home',
  logs: '/home/logs',
  isExternal: false,
};

test('a local worker gets its addresses, and neither the owner of the schema nor a key meant for another Temporal', () => {
  const env = workerEnvironment(LOCAL, {
    OPENAI_API_KEY: 'key',
    DATABASE_OWNER_URL: 'postgres://owner',
    TEMPORAL_API_KEY: 'cloud',
    TEMPORAL_TLS_CLIENT_CERT_PATH: '/cert',
  });
  expect(env).toEqual({
    OPENAI_API_KEY: 'key',
    DATABASE_URL: 'postgres://worker',
    DATABASE_GRADER_URL: 'postgres://grader',
    TEMPORAL_ADDRESS: '127.0.0.1:7233',
    TEMPORAL_NAMESPACE: 'default',
    CO_SCIENTIST_TASK_QUEUE: 'co-scientist',
    ARTIFACTS_DIR: '/home/artifacts',
  });
});

test('beside a Temporal of the user, the worker keeps its TEMPORAL_* as they are', () => {
  const env = workerEnvironment(
    { ...LOCAL, temporal: { ...LOCAL.temporal, isOurs: false } },
    { TEMPORAL_API_KEY: 'cloud', TEMPORAL_PROFILE: 'mine' },
  );
  expect(env).toMatchObject({ TEMPORAL_API_KEY: 'cloud', TEMPORAL_PROFILE: 'mine' });
  expect(env).not.toHaveProperty('TEMPORAL_ADDRESS');
});

test('a fingerprint holds neither a value nor anything that is the same under another key', () => {
  fc.assert(
    fc.property(
      fc.string({ minLength: 8 }),
      fc.string({ minLength: 1 }),
      fc.string({ minLength: 1 }),
      (value, one, other) => {
        fc.pre(one !== other);
        const [first, second] = [one, other].map((key) => fingerprint({ OPENAI_API_KEY: value }, key));
        expect(first?.OPENAI_API_KEY).toMatch(/^[0-9a-f]{64}$/);
        expect(first?.OPENAI_API_KEY).not.toBe(second?.OPENAI_API_KEY);
      },
    ),
  );
});

test('a fingerprint leaves out what does not matter to a worker and what is empty', () => {
  const prints = fingerprint(
    { PWD: '/x', OPENAI_API_KEY: '', OPENAI_COMPATIBLE_MY_LAB_BASE_URL: 'http://x' },
    'k',
  );
  expect(Object.keys(prints)).toEqual(['OPENAI_COMPATIBLE_MY_LAB_BASE_URL']);
});

test('a key gone from the shell is no change; a key set or altered, and a base URL gone, are', () => {
  const change = (before: Record<string, string>, now: Record<string, string>) =>
    environmentChange(fingerprint(before, 'k'), fingerprint(now, 'k'));
  expect(change({ OPENAI_API_KEY: 'a' }, {})).toEqual({ changed: [], onlyThere: ['OPENAI_API_KEY'] });
  expect(change({}, { OPENAI_API_KEY: 'a' })).toEqual({ changed: ['OPENAI_API_KEY'], onlyThere: [] });
  expect(change({ OPENAI_API_KEY: 'a' }, { OPENAI_API_KEY: 'b' })).toEqual({
    changed: ['OPENAI_API_KEY'],
    onlyThere: [],
  });
  expect(change({ OPENAI_BASE_URL: 'http://double' }, {})).toEqual({
    changed: ['OPENAI_BASE_URL'],
    onlyThere: [],
  });
});
