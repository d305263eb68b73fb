import type { UsageError } from '../../scripts/cli-error';
import { readNightlyRequest } from '../../scripts/nightly/nightly-request';

const FLAGS = { preset: 'demo', budget: '20', schedule: false };

async function problemsOf(webhook: string): Promise<readonly string[]> {
  try {
    await readNightlyRequest(undefined, { ...FLAGS, webhook }, null);
    return [];
  } catch (error) {
    return (error as UsageError).details.problems ?? [];
  }
}

test.each([
  'https://me:hunter2@example.org/hook',
  'https://hunter2@example.org/hook',
  'https://example.org/hook?access_token=hunter2',
  'https://example.org/hook?a=1&sig=hunter2',
  'https://example.org/hook?apiKey=hunter2',
])('%s is refused in 1 problem that names env:NAME and repeats no secret', async (webhook) => {
  const problems = await problemsOf(webhook);
  expect(problems).toEqual([expect.stringMatching(/^--webhook: .*env:NAME$/)]);
  expect(problems.join()).not.toContain('hunter2');
});

test.each(['https://example.org/hook?room=7', 'env:SLACK_WEBHOOK'])('%s has 0 problems', async (webhook) => {
  expect(await problemsOf(webhook)).toEqual([]);
});

test('1 candidate, no budget, a wrong name, time zone, cron and webhook are 6 problems of 1 error', async () => {
  const flags = { candidate: ['a=sim:alder'], name: 'No Good', timeZone: 'Mars', cron: '3', webhook: 'x' };
  const reading = readNightlyRequest('A goal that is long enough.', { ...flags, schedule: true }, null);
  const { details, exitCode } = await reading.then(
    () => {
      throw new Error('it was read');
    },
    (error: UsageError) => error,
  );
  expect(exitCode).toBe(2);
  const text = details.problems?.join('\n') ?? '';
  for (const field of [
    'candidates: 1 given',
    '--budget:',
    '--name:',
    '--time-zone:',
    '--cron:',
    '--webhook:',
  ])
    expect(text).toContain(field);
});
