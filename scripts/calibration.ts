import { parseArgs } from 'node:util';
import { type CellResult, runCell } from './calibration/cell';
import { BASE_WORLD, type BenchSize, STRESS_WORLDS, type WorldKind } from './calibration/world';

/**
 * Do the intervals hold? Simulated benches with a known truth, over sizes and kinds of worlds; prints the table
 * of docs/calibration.md and exits 1 when a cell breaks its bounds.
 *
 *   npm run calibration -- --worlds 2000 --seed 1
 *   npm run calibration -- --worlds 500 --seed 7 --only base --spread 0.9 --bias 1 --n 4 --candidates 6 --matches 4
 */
const { values } = parseArgs({
  options: {
    worlds: { type: 'string', default: '2000' },
    seed: { type: 'string', default: '1' },
    /** Names of kinds of worlds, comma-separated; default all. */
    only: { type: 'string' },
    candidates: { type: 'string', default: '2,4,8' },
    n: { type: 'string', default: '2,3,5,10' },
    /** A pair; `2n` is twice n. */
    matches: { type: 'string', default: '2,4,2n' },
    skill: { type: 'string' },
    spread: { type: 'string' },
    bias: { type: 'string' },
    tie: { type: 'string' },
    missing: { type: 'string' },
    'missing-lost': { type: 'string' },
  },
});

const LEAST_COVERAGE = 0.93;
const MOST_FALSE_BETTER = 0.05;

main();

function main(): void {
  const settings = { worlds: Number(values.worlds), seed: Number(values.seed) };
  const started = performance.now();
  console.log(
    '| world | candidates | n | matches | printed | differences | strengths | width | false better | |',
  );
  console.log('|---|--:|--:|--:|--:|--:|--:|--:|--:|---|');
  let broken = 0;
  let cells = 0;
  for (const [name, kind] of kinds()) {
    for (const size of sizes()) {
      const result = runCell(name, kind, size, settings);
      const complaints = complaintsOf(size, result);
      console.log(row(name, size, result, complaints));
      cells += 1;
      if (complaints.length > 0) broken += 1;
    }
  }
  const minutes = ((performance.now() - started) / 60_000).toFixed(1);
  console.log(`\n${cells} cells of ${settings.worlds} worlds and ${settings.worlds} worlds of equals,`);
  console.log(`seed ${settings.seed}: ${cells - broken} hold, ${broken} do not. ${minutes} minutes.`);
  process.exitCode = broken > 0 ? 1 : 0;
}

function kinds(): [string, WorldKind][] {
  const names = values.only?.split(',') ?? Object.keys(STRESS_WORLDS);
  return names.map((name) => {
    const stress = STRESS_WORLDS[name];
    if (stress === undefined)
      throw new RangeError(`--only: no world "${name}" (${Object.keys(STRESS_WORLDS).join(', ')})`);
    return [name, { ...BASE_WORLD, ...stress, ...asked() }];
  });
}

/** What the command line changes in every world. */
function asked(): Partial<WorldKind> {
  const one = (text: string | undefined) => (text === undefined ? undefined : Number(text));
  const missing = one(values.missing);
  const change = {
    skill: one(values.skill),
    spread: values.spread?.split(',').map(Number),
    bias: one(values.bias),
    tie: one(values.tie),
    missing,
    missingWhereBetterLost: one(values['missing-lost']) ?? missing,
  };
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
}

function sizes(): BenchSize[] {
  const list: BenchSize[] = [];
  for (const candidates of values.candidates.split(',').map(Number)) {
    for (const n of values.n.split(',').map(Number)) {
      const matches = values.matches.split(',').map((text) => (text === '2n' ? 2 * n : Number(text)));
      for (const one of new Set(matches)) list.push({ candidates, n, matches: one });
    }
  }
  return list;
}

/** Which bounds a cell breaks. */
function complaintsOf(size: BenchSize, result: CellResult): string[] {
  const complaints: string[] = [];
  const isCovered = [result.differences, result.strengths].every(
    (one) => one === null || one >= LEAST_COVERAGE,
  );
  if (!isCovered) complaints.push('coverage');
  if (result.falseBetter > MOST_FALSE_BETTER) complaints.push('false better');
  const widest = size.n >= 10 ? 1.3 : size.n >= 5 ? 1.6 : 2.5;
  if (result.width !== null && result.width > widest) complaints.push('width');
  if (result.withheld > 0) complaints.push('too few');
  return complaints;
}

function row(name: string, size: BenchSize, result: CellResult, complaints: string[]): string {
  const share = (value: number | null) => (value === null ? 'too few' : `${(100 * value).toFixed(1)} %`);
  const cells = [
    name,
    size.candidates,
    size.n,
    size.matches,
    share(result.printed),
    share(result.differences),
    share(result.strengths),
    result.width === null ? '' : result.width.toFixed(2),
    share(result.falseBetter),
    complaints.join(', '),
  ];
  return `| ${cells.join(' | ')} |`;
}
