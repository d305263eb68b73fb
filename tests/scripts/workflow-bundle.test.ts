import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { bundleVariable, cachedWorkflowBundle } from '../../scripts/stack/cached-workflow-bundle';
import { bundleWorkflows } from '../../scripts/workflow-bundle';

const PROJECT = resolve(__dirname, '..', '..');
let tree: string;

beforeEach(() => {
  tree = mkdtempSync(join(tmpdir(), 'bundle-'));
  symlinkSync(join(PROJECT, 'node_modules'), join(tree, 'node_modules'));
});

afterEach(() => rmSync(tree, { recursive: true }));

function plant(name: string, text: string): void {
  writeFileSync(join(tree, name), text);
}

test.each(['fs', 'node:fs'])('%s two imports deep is named with its chain of 3 files', async (module) => {
  plant('index.ts', "export { bench } from './bench';\n");
  plant('bench.ts', "import { size } from './size';\nexport async function bench() { return size('/'); }\n");
  plant(
    'size.ts',
    `import { statSync } from '${module}';\nexport const size = (path: string) => statSync(path).size;\n`,
  );
  const { forbidden, failure } = await bundleWorkflows(join(tree, 'index.ts'), tree);
  expect(forbidden).toEqual([{ module, chain: ['index.ts', 'bench.ts', 'size.ts'] }]);
  expect(failure).toBeNull();
});

test('a type-only import of a module that uses Node is no fault: 0 forbidden modules', async () => {
  plant(
    'index.ts',
    "import type { Size } from './size';\nexport async function bench(): Promise<Size> { return 1; }\n",
  );
  plant(
    'size.ts',
    "import { statSync } from 'node:fs';\nexport type Size = number;\nexport const size = statSync;\n",
  );
  const { forbidden, failure, sizeBytes } = await bundleWorkflows(join(tree, 'index.ts'), tree);
  expect({ forbidden, failure }).toEqual({ forbidden: [], failure: null });
  expect(sizeBytes).toBeGreaterThan(100_000); // the SDK's own part is far larger
});

test('an import that leads nowhere fails with its name, not as a forbidden module', async () => {
  plant('index.ts', "export { bench } from './nowhere';\n");
  const { forbidden, failure } = await bundleWorkflows(join(tree, 'index.ts'), tree);
  expect(forbidden).toEqual([]);
  expect(failure).toContain('./nowhere');
});

test('a worker is told of the bundle it names itself, and of this checkout’s cached one where it names none', async () => {
  expect(await bundleVariable({ CO_SCIENTIST_WORKFLOW_BUNDLE: '/its/own.js' })).toEqual({
    CO_SCIENTIST_WORKFLOW_BUNDLE: '/its/own.js',
  });
  const { CO_SCIENTIST_WORKFLOW_BUNDLE: cached = '' } = await bundleVariable({});
  expect(cached).toBe(await cachedWorkflowBundle());
  expect(readFileSync(cached, 'utf8').length).toBeGreaterThan(100_000);
});

test('two that ask for a bundle that nobody has made yet are told of the same one, and nothing else stays in the cache', async () => {
  const env = { XDG_CACHE_HOME: tree };
  const [one, other] = await Promise.all([cachedWorkflowBundle(env), cachedWorkflowBundle(env)]);
  expect([one, other]).toEqual([expect.stringMatching(/workflows-[0-9a-f]{16}\.js$/), one]);
  expect(readdirSync(dirname(one!))).toEqual([basename(one!)]);
}, 60_000);

test('a cache that cannot be written has no bundle: each worker makes its own', async () => {
  plant('file', '');
  expect(await cachedWorkflowBundle({ XDG_CACHE_HOME: join(tree, 'file') })).toBeNull();
}, 60_000);
