import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { validate } from 'dockerfile-utils';
import { parse } from 'yaml';
import { BENCH_ROLES } from '../../db/cluster';

const PROJECT = join(__dirname, '..', '..');
const read = (...path: string[]): string => readFileSync(join(PROJECT, ...path), 'utf8');

interface Service {
  image: string;
  command?: string[];
  ports?: string[];
  volumes?: string[];
  environment?: Record<string, string>;
  depends_on?: Record<string, { condition: string }>;
  healthcheck?: unknown;
  restart?: string;
  user?: string;
}

const text = read('docker-compose.yml');
const compose = parse(text, { merge: true }) as { services: Record<string, Service> };
const services = Object.entries(compose.services);

/** Of compose-spec/compose-spec, Apache-2.0: compose-spec.LICENSE. */
const schema = JSON.parse(read('tests', 'deploy', 'compose-spec.json')) as Record<string, unknown>;

test('docker-compose.yml keeps the Compose Specification, and a misspelt key in it would not', () => {
  const { $schema: _, ...rules } = schema;
  const keeps = new Ajv({ strict: false, allErrors: true, validateFormats: false }).compile(rules);
  keeps(compose);
  expect(keeps.errors).toBeNull();
  expect(keeps({ services: { worker: { imagee: 'x' } } })).toBe(false);
});

test('all 8 services are there, and each waits for services that are: healthy ones, or one-shots that succeeded', () => {
  expect(services.map(([name]) => name).sort()).toEqual([
    ...['grader', 'migrate', 'postgres', 'temporal', 'temporal-namespace', 'temporal-schema', 'ui', 'worker'],
  ]);
  for (const [, { depends_on: needs = {} }] of services) {
    for (const [other, { condition }] of Object.entries(needs)) {
      const service = compose.services[other];
      const isOneShot = service?.restart?.startsWith('on-failure');
      expect(condition).toBe(isOneShot ? 'service_completed_successfully' : 'service_healthy');
      if (!isOneShot) expect(service).toHaveProperty('healthcheck');
    }
  }
});

test('nothing is published beyond the loopback of this machine, and Postgres not even there', () => {
  const ports = services.flatMap(([, { ports: own = [] }]) => own);
  expect(ports).toEqual(['127.0.0.1:7233:7233', '127.0.0.1:8080:8080']);
});

test('no password has a default: each is asked of the environment, and compose refuses to start without', () => {
  const used = [...text.matchAll(/\$\{(\w*PASSWORD)([^}]*)\}/g)];
  expect(new Set(used.map(([, name]) => name)).size).toBe(5);
  for (const [, name, rest] of used) expect([name, rest?.slice(0, 2)]).toEqual([name, ':?']);
  const example = read('deploy', 'env.example');
  for (const [, name] of used) expect(example).toMatch(new RegExp(`^${name}=$`, 'm'));
});

test('every file that is mounted is in the checkout', () => {
  const mounted = services.flatMap(([, { volumes = [] }]) => volumes).filter((it) => it.startsWith('./'));
  expect(mounted).toHaveLength(4);
  for (const mount of mounted)
    expect([mount, existsSync(join(PROJECT, mount.split(':')[0]!))]).toEqual([mount, true]);
});

test("workers know their own role's URL and neither the owner's nor the grader's; the grader knows its own alone", () => {
  const urls = (name: string) =>
    Object.entries(compose.services[name]?.environment ?? {})
      .filter(([variable]) => variable.startsWith('DATABASE_'))
      .map(([variable, url]) => [variable, /\/\/(\w+):/.exec(url)?.[1]]);
  expect(urls('worker')).toEqual([['DATABASE_URL', 'bench_worker']]);
  expect(urls('grader')).toEqual([['DATABASE_GRADER_URL', 'bench_grader']]);
  expect(urls('migrate')).toEqual([['DATABASE_URL', 'bench_owner']]);
  for (const role of BENCH_ROLES)
    expect(read('deploy', 'postgres-roles.sh')).toContain(`CREATE ROLE ${role} LOGIN`);
});

test('the Dockerfile has nothing to complain of, runs as nobody special, and gets signals itself', () => {
  const dockerfile = read('Dockerfile');
  expect(validate(dockerfile)).toEqual([]);
  const [, last = ''] = dockerfile.split(/^FROM .*$/m).slice(1);
  expect(last).toMatch(/^USER node$/m);
  expect(last).toMatch(/^ENTRYPOINT \["node", /m);
  expect(last).toMatch(/^STOPSIGNAL SIGTERM$/m);
});

test('the image is built from what is listed, which is every room of the program and no key, data or test', () => {
  const admitted = read('.dockerignore')
    .split('\n')
    .filter((line) => line.startsWith('!'));
  const copied = [...read('Dockerfile').matchAll(/^COPY (?!--from)(.*) \S+$/gm)].flatMap(([, what = '']) =>
    what.split(' '),
  );
  expect(admitted.map((line) => line.slice(1)).sort()).toEqual([...copied].sort());
  expect(copied).toEqual(
    expect.arrayContaining(['core', 'db', 'presets', 'activities', 'workflows', 'workers', 'scripts']),
  );
});
