import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const PROJECT = join(__dirname, '..', '..');
const guide = readFileSync(join(PROJECT, 'docs/guide/operations.md'), 'utf8');

function sourcesOf(room: string): string[] {
  return readdirSync(join(PROJECT, room), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => readFileSync(join(entry.parentPath ?? entry.path, entry.name), 'utf8'));
}

test('the guide to operations names every variable of ours that a worker reads', () => {
  const read = ['workers', 'activities', 'db']
    .flatMap(sourcesOf)
    .flatMap((source) => [
      ...source.matchAll(/\benv\.(CO_SCIENTIST_\w+|ARTIFACTS_DIR|DATABASE_\w+)|'(CO_SCIENTIST_\w+)'/g),
    ]);
  const names = new Set(read.map(([, one, other]) => one ?? other ?? ''));
  expect(names.size).toBeGreaterThanOrEqual(12);
  expect([...names].filter((name) => !guide.includes(`\`${name}\``))).toEqual([]);
});

test('it names every metric of ours, under the name that Prometheus sees', () => {
  const made = sourcesOf('workers').flatMap((source) => [
    ...source.matchAll(/(counter|histogram)\(\s*'(co_scientist_\w+)',(?:\s*'float',)?\s*'(\w+)?/gi),
  ]);
  const seen = made.map(([, kind, name, unit]) =>
    /counter/i.test(kind!) ? `${name}_total` : `${name}_${unit}`,
  );
  expect(seen.length).toBe(9);
  expect(seen.filter((name) => !guide.includes(`\`${name}\``))).toEqual([]);
});
