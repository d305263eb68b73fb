import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CliError } from '../../scripts/cli-error';
import { refuseUsedDirectory } from '../../scripts/scipivot/run-files';

const folder = mkdtempSync(join(tmpdir(), 'run-files-'));
const at = (...names: string[]) => join(folder, ...names);
beforeAll(() => {
  mkdirSync(at('empty'));
  writeFileSync(at('file'), '');
});
afterAll(() => rmSync(folder, { recursive: true }));

test('a directory that is empty, or not there, may be written to', async () => {
  await refuseUsedDirectory(at('empty'));
  await refuseUsedDirectory(at('missing', 'deep'));
});

test.each([
  ['has something in it', folder, 'has something in it'],
  ['is a file', at('file'), 'a part of it is a file'],
  ['lies in a file', at('file', 'deep'), 'a part of it is a file'],
])(
  'one that %s is refused before a run is paid for whose files could not be written',
  async (_, place, why) => {
    const refusal = await refuseUsedDirectory(place).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(CliError);
    const { reason, remedy } = (refusal as CliError).details;
    expect(reason).toMatch(new RegExp(`^--output-dir: ${place} .*${why}`));
    expect(remedy).toContain('give a directory that is empty or not there');
  },
);
