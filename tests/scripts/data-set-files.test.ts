import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CliError } from '../../scripts/cli-error';
import { readDataSetFiles } from '../../scripts/scipivot/data-set-files';

const folder = mkdtempSync(join(tmpdir(), 'data-set-files-'));
const [publicDir, graderDir, receipt] = ['public', 'grader', 'receipt.json'].map((name) =>
  join(folder, name),
) as [string, string, string];
beforeAll(() => {
  for (const [directory, name] of [
    [publicDir, 'prompts.jsonl'],
    [graderDir, 'references.json'],
  ] as const) {
    mkdirSync(directory);
    writeFileSync(join(directory, name), '');
  }
});
afterAll(() => rmSync(folder, { recursive: true }));

test.each(['', 'no JSON', 'null', '7', '[]', '{"public": null}', '{"public": {"files": "none"}}'])(
  'a receipt that holds %j binds no file, and is refused by its name and with a remedy',
  async (text) => {
    writeFileSync(receipt, text);
    const refusal = await readDataSetFiles({ publicDir, graderDir, receipt, name: 'small' }).catch(
      (error: unknown) => error,
    );
    expect(refusal).toBeInstanceOf(CliError);
    expect((refusal as CliError).details).toMatchObject({
      reason: `--receipt: prompts.jsonl is not the file that ${receipt} binds`,
      remedy: expect.stringContaining('the receipt of this very export'),
    });
  },
);
