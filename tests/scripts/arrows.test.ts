import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const PROJECT = resolve(__dirname, '..', '..');
const ROOMS = ['core', 'db', 'workflows', 'activities', 'workers', 'presets', 'scripts'];

/** DESIGN.md's table, row by row; presets, which has no row there, takes the core's types. */
const ALLOWED = new Set([
  'db core',
  'workflows core',
  'activities db',
  'activities core',
  'activities presets',
  'workers activities',
  'workers db',
  'workers core',
  'presets core',
  'scripts workers',
  'scripts activities',
  'scripts db',
  'scripts core',
  'scripts presets',
]);
const ALLOWED_AS_TYPE = new Set([...ALLOWED, 'workflows activities', 'scripts workflows']);

let tree: string;

beforeEach(() => {
  tree = mkdtempSync(join(tmpdir(), 'arrows-'));
  for (const name of ['.dependency-cruiser.cjs', 'tsconfig.json', 'package.json'])
    cpSync(join(PROJECT, name), join(tree, name));
  for (const room of [...ROOMS, 'tests']) {
    plant(
      `${room}/thing.ts`,
      'export interface Thing { n: number }\nexport const thing: Thing = { n: 1 };\n',
    );
  }
});

afterEach(() => rmSync(tree, { recursive: true }));

function plant(path: string, text: string): void {
  mkdirSync(join(tree, path, '..'), { recursive: true });
  writeFileSync(join(tree, path), text);
}

/** Runs the project's own check in the planted tree. */
function cruise(outputType: 'err' | 'json'): Promise<{ exitCode: number; output: string }> {
  const program = join(PROJECT, 'node_modules', 'dependency-cruiser', 'bin', 'dependency-cruise.mjs');
  const args = [program, '--config', '.dependency-cruiser.cjs', '--output-type', outputType, ...ROOMS];
  return new Promise((done) => {
    execFile(process.execPath, args, { cwd: tree, env: process.env, maxBuffer: 1e8 }, (error, output) => {
      done({ exitCode: error ? Number(error.code) : 0, output });
    });
  });
}

/** The arrows it finds broken, as `<file> <room>`. */
async function brokenArrows(): Promise<string[]> {
  const { output } = await cruise('json');
  const { summary } = JSON.parse(output) as { summary: { violations: { from: string; to: string }[] } };
  return [...new Set(summary.violations.map(({ from, to }) => `${from} ${to.split('/')[0]}`))].sort();
}

const WAYS = {
  value: (other: string) => `import { thing } from '../${other}/thing';\nexport const n = thing.n;\n`,
  required: (other: string) =>
    `export const load = () => require('../${other}/thing') as typeof import('../${other}/thing');\n`,
  type: (other: string) => `import type { Thing } from '../${other}/thing';\nexport type Mine = Thing;\n`,
};

test('of all 49 arrows between rooms and tests, in three ways each, the check breaks on those the table lacks', async () => {
  const expected: string[] = [];
  for (const room of ROOMS) {
    for (const other of [...ROOMS, 'tests'].filter((name) => name !== room)) {
      for (const [way, text] of Object.entries(WAYS)) {
        const file = `${room}/${way}-of-${other}.ts`;
        plant(file, text(other));
        const allowed = way === 'type' ? ALLOWED_AS_TYPE : ALLOWED;
        if (!allowed.has(`${room} ${other}`)) expected.push(`${file} ${other}`);
      }
    }
  }
  expect(await brokenArrows()).toEqual(expected.sort());
  // 49 arrows less 14 allowed, for values and requires; less 16, for types.
  expect(expected).toHaveLength(35 + 35 + 33);
});

test('one forbidden import ends the check with exit code 1 and names its rule; a tree without one passes with 0', async () => {
  expect((await cruise('err')).exitCode).toBe(0);
  plant('core/rating.ts', WAYS.value('db'));
  const { exitCode, output } = await cruise('err');
  expect(exitCode).toBe(1);
  expect(output).toContain('core-imports-no-other-room');
  expect(output).toContain('core/rating.ts → db/thing.ts');
});

test('a worker may name the workflow bundle by its path, but not import it', async () => {
  plant('workers/main.ts', "export const workflowsPath = require.resolve('../workflows/thing');\n");
  expect(await brokenArrows()).toEqual([]);
  plant('workers/main.ts', WAYS.value('workflows'));
  expect(await brokenArrows()).toEqual(['workers/main.ts workflows']);
});

function plantPackage(name: string): void {
  plant(`node_modules/${name}/package.json`, JSON.stringify({ name, version: '4.0.0', main: 'index.js' }));
  plant(`node_modules/${name}/index.js`, 'exports.it = {};');
}

test('core takes no package and no Node module, but may take their types', async () => {
  plantPackage('zod');
  plant('core/a.ts', "import { readFileSync } from 'node:fs';\nexport const read = readFileSync;\n");
  plant('core/b.ts', "import { it } from 'zod';\nexport const schema = it;\n");
  plant('core/c.ts', "import type { It } from 'zod';\nexport type Schema = It;\n");
  expect(await brokenArrows()).toEqual(['core/a.ts fs', 'core/b.ts node_modules']);
});

test('of 7 rooms, zod may be used in activities alone, and kysely in db alone', async () => {
  const expected: string[] = [];
  for (const [name, home] of [
    ['zod', 'activities'],
    ['kysely', 'db'],
  ] as const) {
    plantPackage(name);
    for (const room of ROOMS) {
      plant(`${room}/with-${name}.ts`, `import { it } from '${name}';\nexport const used = it;\n`);
      if (room !== home) expected.push(`${room}/with-${name}.ts node_modules`);
    }
  }
  expect(await brokenArrows()).toEqual(expected.sort());
});
