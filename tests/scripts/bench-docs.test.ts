import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { BENCH_INPUT_FIELDS } from '../../activities/bench-input-schema';
import { planInput } from '../../activities/plan-input';
import { registerBenchFlags } from '../../scripts/bench/bench-flags';
import { COMMANDS } from '../../scripts/commands';

function guide(name: string): string {
  return readFileSync(join(__dirname, '../../docs/guide', name), 'utf8');
}

test('the guide to BenchInput names every field, and every flag that the help shows', () => {
  const text = guide('bench-input.md');
  const generation = ['maxTurns', 'maxToolCalls', 'maxOutputTokens'];
  const fields = [...BENCH_INPUT_FIELDS, ...generation.map((field) => `generation.${field}`)];
  expect(fields.filter((field) => field !== 'generation' && !text.includes(`\`${field}\``))).toEqual([]);
  const flags = registerBenchFlags(new Command()).options.filter((option) => !option.hidden);
  expect(
    flags.filter((flag) => !text.includes(flag.short ?? flag.long ?? '')).map((flag) => flag.long),
  ).toEqual([]);
});

test('the guide’s example of a BenchInput is one that can be planned', () => {
  const example = /```json\n([\s\S]+?)```/.exec(guide('bench-input.md'))?.[1] ?? '';
  expect(planInput(JSON.parse(example))).toHaveProperty('plan');
});

test('the guide to the command line names every command but those with a page of their own', () => {
  const text = guide('cli.md');
  const own = ['scipivot', 'literature'];
  const missing = COMMANDS.filter(
    ({ name }) => !own.includes(name) && !new RegExp(`\\b${name}\\b`).test(text),
  );
  expect(missing.map(({ name }) => name)).toEqual([]);
});
