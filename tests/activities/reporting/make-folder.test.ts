import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeFolder } from '../../../activities/reporting/make-folder';

const root = mkdtempSync(join(tmpdir(), 'make-folder-'));
afterAll(() => rmSync(root, { recursive: true }));

test('of 3 folders, none of them there, the topmost is told; of the same again, none', () => {
  const folder = join(root, 'a', 'b', 'c');
  expect(makeFolder(folder)).toBe(join(root, 'a'));
  expect(existsSync(folder)).toBe(true);
  expect(makeFolder(folder)).toBeUndefined();
});

test('below a file, and in /proc, where Node’s own never returns, it throws', () => {
  writeFileSync(join(root, 'file'), '');
  expect(() => makeFolder(join(root, 'file', 'x'))).toThrow(/ENOTDIR/);
  expect(() => makeFolder(join(root, 'file'))).toThrow(/EEXIST/);
  expect(() => makeFolder('/proc/x/y')).toThrow();
});
