import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Random } from '../core/random';
import { fitBradleyTerry } from '../core/ratings/bradley-terry';
import { sigmoid } from '../core/ratings/elo-scale';
import { bootstrapHypotheses } from '../core/ratings/hypothesis-bootstrap';
import { countPairs } from '../core/ratings/pair-counts';
import type { ScoredPair } from '../core/ratings/scored-pair';
import { BASE_WORLD, drawWorld } from './calibration/world';

/**
 * How long rating takes, beside the Rust library evalica (PyPI) on the same rows in the same run: both from rows
 * of names to strengths, best of seven. Needs python3 with venv and a package index; the virtual environment
 * lives in a temporary folder.
 *
 *   npm run perf:ratings
 */
const EVALICA = 'evalica==0.4.2';
const PANDAS = 'pandas';
const ROUNDS = 7;

function main(): void {
  const folder = mkdtempSync(join(tmpdir(), 'perf-ratings-'));
  try {
    const python = installEvalica(folder);
    console.log('Bradley–Terry over 100,000 rows, milliseconds (best of 7)\n');
    console.log('| items | ours | evalica | ratio | gradient |');
    console.log('|--:|--:|--:|--:|--:|');
    for (const items of [8, 100, 1000]) compare(folder, python, items);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  resampleRefits();
  growth();
}

function installEvalica(folder: string): string {
  execFileSync('python3', ['-m', 'venv', join(folder, 'venv')], { stdio: 'inherit' });
  const python = join(folder, 'venv', 'bin', 'python');
  const quiet = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', EVALICA, PANDAS];
  execFileSync(python, quiet, { stdio: 'inherit' });
  return python;
}

function compare(folder: string, python: string, items: number): void {
  const rows = drawRows(items, 100_000);
  const file = join(folder, `rows-${items}.csv`);
  writeFileSync(file, rows.map(({ left, right, scoreLeft }) => `${left},${right},${scoreLeft}`).join('\n'));
  const script = join(folder, 'time.py');
  writeFileSync(script, TIME_EVALICA);
  const theirs = Number(execFileSync(python, [script, file, String(ROUNDS)], { encoding: 'utf8' }));
  const ours = bestOf(() => fitBradleyTerry(countPairs(rows)));
  const { gradient } = fitBradleyTerry(countPairs(rows));
  const ratio = (ours / theirs).toFixed(2);
  console.log(
    `| ${items} | ${ours.toFixed(1)} | ${theirs.toFixed(1)} | ${ratio} | ${gradient.toExponential(1)} |`,
  );
}

const TIME_EVALICA = `
import sys, time
import evalica
rows = [line.rstrip("\\n").split(",") for line in open(sys.argv[1])]
xs, ys = [row[0] for row in rows], [row[1] for row in rows]
said = {"1": evalica.Winner.X, "0": evalica.Winner.Y, "0.5": evalica.Winner.Draw}
winners = [said[row[2]] for row in rows]
best = float("inf")
for _ in range(int(sys.argv[2])):
    start = time.perf_counter()
    evalica.bradley_terry(xs, ys, winners)
    best = min(best, time.perf_counter() - start)
print(best * 1000)
`;

/** 56 matches of 8 candidates, both orders. */
function resampleRefits(): void {
  const { matches } = drawWorld(BASE_WORLD, { candidates: 8, n: 4, matches: 2 }, new Random(1));
  const ms = bestOf(() => bootstrapHypotheses(matches, { resamples: 1000, seed: 1 }));
  console.log(`\n1,000 resample refits of 8 candidates, 56 matches × 2 orders: ${ms.toFixed(0)} ms`);
}

function growth(): void {
  console.log('\n| rows (100 items) | ms | ns a row |');
  console.log('|--:|--:|--:|');
  for (const count of [10_000, 100_000, 1_000_000]) {
    const rows = drawRows(100, count);
    const ms = bestOf(() => fitBradleyTerry(countPairs(rows)));
    console.log(`| ${count} | ${ms.toFixed(1)} | ${((ms * 1e6) / count).toFixed(0)} |`);
  }
}

/** Strengths spread evenly over three logits, one verdict in ten a tie. */
function drawRows(items: number, count: number): ScoredPair[] {
  const random = new Random([7, items, count]);
  return Array.from({ length: count }, () => {
    const i = random.integers(0, items);
    const j = (i + random.integers(1, items)) % items;
    const isTie = random.uniform() < 0.1;
    const isWin = random.uniform() < sigmoid((3 * (j - i)) / items);
    return { left: `model-${i}`, right: `model-${j}`, scoreLeft: isTie ? 0.5 : isWin ? 1 : 0 };
  });
}

function bestOf(work: () => unknown): number {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now();
    work();
    best = Math.min(best, performance.now() - start);
  }
  return best;
}

main();
