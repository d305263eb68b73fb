import { Client } from 'pg';
import type { BenchSummary } from '../../core/bench-summary';
import { readAllRows } from './bench-rows';
import type { BenchWorker } from './bench-worker';

const INPUT = {
  goal: 'Find a drug for a disease that has none.',
  candidates: [
    'strong=sim:alder,skill=3@direct',
    'weak=sim:hazel,skill=-3@direct',
    'bad=sim:elm,fail=refused:1@direct',
  ],
  judge: 'sim:referee',
  goldSet: 'aml-repurposing-paper-5',
  n: 2,
  matches: 4,
  probe: false,
};

let worker: BenchWorker;
let before: Record<string, string[]>;
let after: Record<string, string[]>;
let summary: BenchSummary;

function sameRows(one: string[] | undefined, other: string[] | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** As any client would, with the driver's own types: numeric comes as text. */
async function runAsOwner(statement: string): Promise<unknown[][]> {
  const client = new Client({ connectionString: worker.database.ownerUrl });
  await client.connect();
  try {
    const { rows } = await client.query({ text: statement, rowMode: 'array' });
    return rows;
  } finally {
    await client.end();
  }
}

/** Whose rows a bench changes, and what the owner's queries say of it. */
export function testFinishedBench(shared: () => BenchWorker): void {
  beforeAll(async () => {
    worker = shared();
    await runAsOwner(`
    CREATE TABLE papers (id integer PRIMARY KEY, title text);
    CREATE TABLE benchmarks (id integer PRIMARY KEY, title text);
    INSERT INTO papers VALUES (1, 'Not ours'), (2, 'Nor this');
    INSERT INTO benchmarks VALUES (1, 'bench_ is a prefix, this is not one');
    GRANT ALL ON papers, benchmarks TO bench_worker, bench_grader`);
    before = await readAllRows(worker.database.ownerUrl);
    summary = await worker.run(INPUT);
    after = await readAllRows(worker.database.ownerUrl);
  });

  test('of all tables only bench_* have other rows after a bench than before', () => {
    expect(Object.keys(after)).toEqual(Object.keys(before));
    const changed = Object.keys(after).filter((table) => !sameRows(after[table], before[table]));
    expect(changed.filter((table) => !table.startsWith('bench_'))).toEqual([]);
    expect(changed).toEqual(
      expect.arrayContaining([
        'bench_budgets',
        'bench_candidates',
        'bench_hypotheses',
        'bench_llm_calls',
        'bench_matches',
        'bench_reviews',
        'bench_runs',
        'bench_verdicts',
      ]),
    );
    expect(after.papers).toEqual(['(1,"Not ours")', '(2,"Nor this")']);
    expect(after.benchmarks).toHaveLength(1);
  });

  test("the owner's query of candidates gives 3 rows: W-L of 4 and 0, money as numeric, a candidate without hypotheses without Elo", async () => {
    const rows = await runAsOwner(
      `SELECT label, mode, n_hypotheses, wins, losses, round(mean_elo,0), gold_hits, gold_hit_names, round(total_cost_usd, 4), total_input_tok, total_output_tok FROM bench_candidates WHERE bench_id='${summary.benchId}';`,
    );
    const byLabel = Object.fromEntries(rows.map((row) => [row[0], row]));
    expect(Object.keys(byLabel).sort()).toEqual(['bad', 'strong', 'weak']);
    expect(byLabel.strong?.slice(0, 5)).toEqual(['strong', 'direct', 2, 4, 0]);
    expect(byLabel.weak?.slice(0, 5)).toEqual(['weak', 'direct', 2, 0, 4]);
    expect(byLabel.bad?.slice(0, 8)).toEqual(['bad', 'direct', 0, 0, 0, null, null, null]);
    for (const [label, , , , , elo, goldHits, names, cost, input, output] of rows) {
      const line = summary.candidates.find((candidate) => candidate.label === label);
      expect(elo).toBe(line?.meanElo == null ? null : String(Math.round(line.meanElo)));
      expect(goldHits).toBe(line?.goldHits);
      expect(names).toBe(line?.goldHitNames?.join(', ') ?? null);
      // The sim's price of 1 and 5 dollars a million tokens, per CONTRACTS: 4 decimals of the sum.
      expect(cost).toMatch(/^\d+\.\d{4}$/);
      expect(Number(cost)).toBeCloseTo((Number(input) + 5 * Number(output)) / 1e6, 4);
    }
  });

  test("the owner's query of matches gives 12 rows, 4 of them played, each with what its two verdicts cost and why", async () => {
    const rows = await runAsOwner(
      `SELECT bc_a.label, bc_b.label, bm.winner, round(bm.judge_cost_usd, 4), substr(bm.rationale, 1, 200) FROM bench_matches bm JOIN bench_candidates bc_a ON bc_a.id = bm.cand_a JOIN bench_candidates bc_b ON bc_b.id = bm.cand_b WHERE bm.bench_id='${summary.benchId}';`,
    );
    expect(rows).toHaveLength(12);
    const played = rows.filter(([a, b]) => a !== 'bad' && b !== 'bad');
    expect(played).toHaveLength(4);
    for (const [a, , winner, cost, rationale] of played) {
      expect(winner).toBe(a === 'strong' ? 'a' : 'b');
      expect(cost).toMatch(/^0\.\d{4}$/);
      expect(String(rationale).length).toBeGreaterThan(20);
      expect(String(rationale).length).toBeLessThanOrEqual(200);
    }
    const unplayed = rows.filter((row) => !played.includes(row));
    expect(unplayed.map((row) => row.slice(2))).toEqual(Array(8).fill([null, null, null]));
  });
}
