import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client as PgClient } from 'pg';
import type { BenchSummary } from '../../core/bench-summary';
import { type BenchWorker, startBenchWorker } from '../workflows/bench-worker';
import { type CliRun, runCli } from './run-cli';

// The CLI as a process, against a Postgres, a Temporal server and a worker that are "the user's own".
let worker: BenchWorker;
let env: Record<string, string>;
const home = mkdtempSync(join(tmpdir(), 'bench-cli-'));

beforeAll(async () => {
  worker = await startBenchWorker();
  env = {
    CO_SCIENTIST_HOME: home,
    CO_SCIENTIST_TASK_QUEUE: worker.temporal.taskQueue,
    ...worker.database.env,
    TEMPORAL_ADDRESS: worker.temporal.address,
  };
});
afterAll(async () => {
  await worker.close();
  rmSync(home, { recursive: true, force: true });
});

async function summaryOf(run: Promise<CliRun>): Promise<BenchSummary> {
  return JSON.parse((await run).stdout) as BenchSummary;
}

async function query(text: string, values: unknown[]): Promise<Record<string, unknown>[]> {
  const client = new PgClient({ connectionString: worker.database.ownerUrl });
  await client.connect();
  try {
    return (await client.query(text, values)).rows;
  } finally {
    await client.end();
  }
}

const TWO = ['-c', 'a=sim:alder@direct', '-c', 'b=sim:gorse@direct', '--judge', 'sim:referee'];
const ENDLESS = [
  '-c',
  'a=sim:alder,latency=600000@direct',
  '-c',
  'b=sim:gorse@direct',
  '--judge',
  'sim:referee',
];

/** As the owner wrote them. */
const OWNERS_QUERIES = [
  "SELECT label, mode, n_hypotheses, wins, losses, round(mean_elo,0), gold_hits, gold_hit_names, round(total_cost_usd, 4), total_input_tok, total_output_tok FROM bench_candidates WHERE bench_id='…'",
  "SELECT bc_a.label, bc_b.label, bm.winner, round(bm.judge_cost_usd, 4), substr(bm.rationale, 1, 200) FROM bench_matches bm JOIN bench_candidates bc_a ON bc_a.id = bm.cand_a JOIN bench_candidates bc_b ON bc_b.id = bm.cand_b WHERE bm.bench_id='…'",
];

describe('a resume that may not', () => {
  let benchId: string;
  beforeAll(async () => {
    // Its calls outlive their workflow, and the worker waits for them: they end while the tests below run.
    const slow = ENDLESS.map((flag) => flag.replace('600000', '30000'));
    const started = await runCli(['bench', 'A goal.', ...slow, '--n', '1', '--no-probe', '--detach'], env);
    benchId = started.stdout.trim();
    while ((await ownerOf(benchId)) === undefined) await new Promise((resolve) => setTimeout(resolve, 50));
  }, 60_000);

  async function ownerOf(id: string): Promise<unknown> {
    const [row] = await query("SELECT workflow_id FROM bench_runs WHERE id = $1 AND state = 'running'", [id]);
    return row?.workflow_id;
  }

  test('of a bench that runs prints why, and the two ways on: nothing before it, and nothing on stdout', async () => {
    const run = await runCli(['resume', benchId], env);
    expect([run.exitCode, run.stdout]).toEqual([1, '']);
    expect(run.stderr.split('\n')).toEqual([
      `error: bench ${benchId} was not resumed`,
      `  - resume: ${benchId} is running as workflow bench-${benchId} (takeOver: true ends that first)`,
      `  fix: follow it: co-scientist watch ${benchId}; or end it first: co-scientist resume ${benchId} --take-over`,
      '',
    ]);
  });

  test('of a bench that was begun with another prompt prints which, and that the code of then resumes it', async () => {
    const select = "SELECT key, value FROM bench_runs, jsonb_each_text(plan->'prompts') WHERE id = $1";
    const [{ key: name, value: version } = {}] = await query(select, [benchId]);
    const set = 'UPDATE bench_runs SET plan = jsonb_set(plan, ARRAY[$2, $3], $4::jsonb) WHERE id = $1';
    await query(set, [benchId, 'prompts', name, '0']);
    const run = await runCli(['resume', benchId, '--json'], env);
    await query(set, [benchId, 'prompts', name, String(version)]);
    expect([run.exitCode, run.stdout]).toEqual([1, '']);
    expect(run.stderr).toContain(`  - resume: prompt ${name} was version 0, is ${version}`);
    expect(run.stderr).toMatch(/^error: bench bnc_\w+ was not resumed\n( {2}- .*\n){2} {2}fix: .*\n$/);
  });

  test('since another took over at the same moment is told which workflow has it, and to watch that', async () => {
    const both = [1, 2].map(() => runCli(['resume', benchId, '--take-over'], env));
    const lost = await Promise.race(both);
    const owner = String(await ownerOf(benchId));
    expect([lost.exitCode, lost.stdout]).toEqual([1, '']);
    expect(owner).toMatch(new RegExp(`^resume-${benchId}-`));
    // It was refused, or it was first and the other ended it, in which case it had said so far how it stood.
    expect(lost.stderr).toMatch(
      /^error: bench bnc_\w+ was (not resumed|taken over by another resume: workflow )/m,
    );
    expect(lost.stderr).toContain(`workflow ${owner} has it`);
    expect(lost.stderr).toContain(`fix: follow it: co-scientist watch ${benchId}\n`);
    await runCli(['cancel', benchId], env);
    const won = (await Promise.all(both)).find((run) => run !== lost);
    expect(won?.stderr).toContain(`resuming ${benchId}\n`);
    expect(won?.stderr).toContain('was cancelled');
  }, 60_000);
});

describe('preset demo at n 1, from the command line', () => {
  let run: CliRun;
  let summary: BenchSummary;
  beforeAll(async () => {
    run = await runCli(['bench', '--preset', 'demo', '--n', '1', '--json'], env);
    summary = JSON.parse(run.stdout) as BenchSummary;
  }, 120_000);

  test('ends with 0 and prints one JSON object alone: 8 candidates, 56 matches, 112 verdicts, simulated', () => {
    expect(run.exitCode).toBe(0);
    expect(run.stdout).toBe(`${JSON.stringify(summary, null, 2)}\n`);
    expect(summary).toMatchObject({ format: 1, status: 'finished', simulated: true, seed: 20261004 });
    expect(summary.candidates).toHaveLength(8);
    expect(summary.judge.verdicts).toBe(112);
  });

  test('its input is exactly what the flags said, under a workflow that is named after the bench', async () => {
    const rows = await query('SELECT input, workflow_id FROM bench_runs WHERE id = $1', [summary.benchId]);
    expect(JSON.parse(String(rows[0]?.input))).toEqual({ preset: 'demo', n: 1 });
    expect(rows[0]?.workflow_id).toBe(`bench-${summary.benchId}`);
  });

  test('stderr says first what it will do and may spend, then how far it is', () => {
    expect(run.stderr.split('\n')).toContain(`${summary.benchId} · simulated`);
    expect(run.stderr).toContain('8 candidates × 1 hypothesis, reviewed by sim:referee');
    expect(run.stderr).toContain(
      'simulated: caps $3.00 each candidate, $5.00 judge and reviewer; at most $29.00',
    );
    expect(run.stderr).toContain('note: n = 1: no interval is possible');
    expect(run.stderr).toMatch(/\] openai-o1\[raw\]: ready, 1 of 1 hypothesis, \$\d\.\d{4}$/m);
    expect(run.stderr).toMatch(/\] judge: 112 of 112 verdicts, 56 of 56 matches/);
  });

  test('a resume of it starts nothing and pays nothing, says so with the ways on, and prints the same result: exit code 0', async () => {
    const { benchId } = summary;
    const calls = 'SELECT count(*) FROM bench_llm_calls WHERE bench_id = $1';
    const owner = 'SELECT epoch, workflow_id, state FROM bench_runs WHERE id = $1';
    const before = [await query(calls, [benchId]), await query(owner, [benchId])];
    const again = await runCli(['resume', benchId, '--json'], env);
    expect(again.exitCode).toBe(0);
    expect(JSON.parse(again.stdout)).toEqual(summary);
    expect(again.stderr.split('\n')[0]).toBe(
      `bench ${benchId} has finished, and there is nothing to resume: nothing was started, nothing was paid`,
    );
    for (const way of ['raise-budget', 'rescore', 'report']) {
      expect(again.stderr).toContain(`co-scientist ${way} ${benchId}`);
    }
    expect([await query(calls, [benchId]), await query(owner, [benchId])]).toEqual(before);
  });

  test('what cannot be done with it is told with what can: two wrong ids at once, no cap to raise, none above, an end', async () => {
    const { benchId } = summary;
    const refused = async (...argv: string[]) => {
      const { exitCode, stderr, stdout } = await runCli(argv, env);
      expect([exitCode, stdout]).toEqual([1, '']);
      return stderr;
    };
    const both = await refused('compare', 'bnc_ZZZ', 'bnc_YYY');
    expect(both).toMatch(/^error: 2 things are wrong\n {2}- .*"bnc_ZZZ"\n {2}- .*"bnc_YYY"\n {2}fix: /);
    expect(await refused('raise-budget', benchId, 'bench', '7')).toContain(
      `bench of bench ${benchId} has no cap of its own`,
    );
    expect(await refused('raise-budget', benchId, 'judge', '1')).toContain(
      'the cap of judge is $5, which is not below $1',
    );
    // A resume would have nothing to do.
    expect(await refused('drop', benchId, 'nobody')).toContain(`fix: co-scientist show ${benchId}\n`);
    expect(await refused('nightly', 'accept', 'nope', '--bench', 'bnc_ZZZ')).toMatch(
      /2 things are wrong\n {2}- .*nightly "nope"\n {2}- .*bench "bnc_ZZZ"/,
    );
  }, 60_000);

  test('its page, its Markdown, the page of all benches and its artifacts lie in the home, and stderr says where', () => {
    const { benchId } = summary;
    const pages = ['BENCH_RESULTS.md', `${benchId}.html`, `${benchId}.md`];
    expect(readdirSync(join(home, 'reports')).filter((name) => pages.includes(name))).toEqual(pages);
    expect(readdirSync(join(home, 'artifacts', benchId)).sort()).toEqual([
      'bench',
      'hypotheses',
      'transcripts',
    ]);
    expect(run.stderr.split('\n')).toContain(`report: ${join(home, 'reports', `${benchId}.html`)}`);
  });

  test('no escape sequence is written where nobody looks', () => {
    expect(run.stderr).not.toContain('\u001b');
  });

  test('`show --json` and `watch --json` give the same object, by a beginning of the id', async () => {
    const prefix = summary.benchId.slice('bnc_'.length, 22).toLowerCase();
    expect(await summaryOf(runCli(['show', prefix, '--json'], env))).toEqual(summary);
    expect(await summaryOf(runCli(['watch', summary.benchId, '--json'], env))).toEqual(summary);
  });

  test('`show` prints the leaderboard by rank, where the money went, the flip rate and the best titles', async () => {
    const { exitCode, stdout } = await runCli(['show', summary.benchId], env);
    expect(exitCode).toBe(0);
    const lines = stdout.split('\n');
    expect(lines[0]).toBe(`${summary.benchId} · finished · simulated, dollars included`);
    const labels = lines.slice(3, 11).map((line) => line.split(/\s{2,}/)[1]);
    expect(labels).toEqual(summary.candidates.map((c) => c.label));
    expect(stdout).toMatch(
      /^simulated cost \$\d\.\d{4}: candidates \$\d\.\d{4}, judge and reviewer \$\d\.\d{4}, checks/m,
    );
    expect(stdout).toMatch(
      /^112 verdicts, 0 invalid; flip rate \d+ % \(\d+ of 56 matches; half-flips \d+\)$/m,
    );
    expect(stdout).toContain('best hypotheses by Elo (one in full: ');
  });

  test('on 80 columns its tables fit, and what is said of the ratings below them', async () => {
    const { stdout } = await runCli(['show', summary.benchId], { ...env, COLUMNS: '80' });
    const [tables = ''] = stdout.split('\ngold set');
    expect(tables).toMatch(/^ {2}no interval {2}one hypothesis each/m);
    expect(Math.max(...tables.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
  });

  test('every query of the guide to the database runs as it stands there, the owner’s two among them', async () => {
    const guide = readFileSync(join(__dirname, '../../docs/guide/database.md'), 'utf8');
    const queries = [...guide.matchAll(/```sql\n(.+?);\n```/gs)].map((match) => match[1] ?? '');
    expect(queries.slice(0, 2)).toEqual(OWNERS_QUERIES);
    const answers = [];
    for (const text of queries) answers.push(await query(text.replace('…', summary.benchId), []));
    expect(answers[0]).toHaveLength(8);
    expect(answers[1]).toHaveLength(56);
    expect(answers.length).toBeGreaterThanOrEqual(4);
  });

  test('the guide to the database names every table', async () => {
    const guide = readFileSync(join(__dirname, '../../docs/guide/database.md'), 'utf8');
    const tables = await query("SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'", []);
    const named = (name: string) =>
      guide.includes(`\`${name.replace(/_lock$/, '')}\``) || /^bench_scipivot_/.test(name);
    expect(tables.map(({ name }) => String(name)).filter((name) => !named(name))).toEqual([]);
  });

  test('a title that carries escape sequences reaches no terminal', async () => {
    await query(
      `UPDATE bench_hypotheses SET title = E'\\x1b[2J\\x1b]0;owned\\x07harmless' || chr(155) || '31m' WHERE bench_id = $1`,
      [summary.benchId],
    );
    const { stdout } = await runCli(['show', summary.benchId], env);
    expect(stdout).toContain('harmless');
    expect(stdout.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
  });

  test('it cannot be cancelled any more: 1, and its state', async () => {
    const { exitCode, stderr } = await runCli(['cancel', summary.benchId], env);
    expect(exitCode).toBe(1);
    expect(stderr).toContain('has ended already: finished');
  });

  test('an id that is not there is 1, with the id that may be meant', async () => {
    const mistyped = `${summary.benchId.slice(0, -1)}${summary.benchId.endsWith('0') ? '1' : '0'}`;
    const { exitCode, stderr } = await runCli(['show', mistyped], env);
    expect(exitCode).toBe(1);
    expect(stderr).toContain(`did you mean ${summary.benchId}?`);
  });
});

test('flags beat the file of --input; n 1 and 0 matches is a bench with costs and without a rating', async () => {
  const input = {
    preset: 'demo',
    n: 4,
    matches: 2,
    goldSet: 'none',
    generation: { maxTurns: 3, maxOutputTokens: 900 },
  };
  const run = await runCli(
    ['bench', '--input', '-', '--n', '1', '--matches', '0', '--max-turns', '2', ...TWO, '--json'],
    env,
    { stdin: JSON.stringify(input) },
  );
  expect(run.exitCode).toBe(0);
  const summary = JSON.parse(run.stdout) as BenchSummary;
  expect(summary.candidates.map((c) => [c.label, c.rank, c.meanElo, c.nHypotheses])).toEqual([
    ['a', null, null, 1],
    ['b', null, null, 1],
  ]);
  expect(summary.judge).toMatchObject({ verdicts: 0, flipRate: null });
  const rows = await query('SELECT input FROM bench_runs WHERE id = $1', [summary.benchId]);
  expect(JSON.parse(String(rows[0]?.input))).toEqual({
    ...input,
    n: 1,
    matches: 0,
    generation: { maxTurns: 2, maxOutputTokens: 900 },
    candidates: ['a=sim:alder@direct', 'b=sim:gorse@direct'],
    judge: 'sim:referee',
  });
});

test('a slot that fails is in the table with its kind, and scored as nothing; its 12 matches stand by number', async () => {
  const { exitCode, stdout } = await runCli(
    [
      ...['bench', 'A goal.', '-c', 'fine=sim:alder@direct', '-c', 'poor=sim:gorse,fail=truncated:1@direct'],
      ...['--judge', 'sim:referee', '--n', '1', '--matches', '12', '--no-probe'],
    ],
    env,
  );
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/^– +poor +direct +0-0-0 +– +– .* truncated 1$/m);
  expect(stdout).toContain('0 of 12 matches played; unplayed: no_hypothesis 12');
  const failures = await runCli(['failures', /^bnc_\w+/.exec(stdout)![0]], env);
  const matches = [...failures.stdout.matchAll(/^match .* m(\d+)$/gm)].map(([, number]) => Number(number));
  expect(matches).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
});

test('models that fail their check: the bench fails, 1, with every problem and what mends it', async () => {
  const run = await runCli(
    [
      ...['bench', 'A goal.', '-c', 'a=sim:alder,fail=unauthorized:1@direct'],
      ...['-c', 'b=sim:gorse,fail=bad_request:1@direct', '--judge', 'sim:referee'],
    ],
    env,
  );
  expect(run.exitCode).toBe(1);
  expect(run.stdout).toBe('');
  expect(run.stderr).toMatch(/^error: bench bnc_\w+ cannot begin$/m);
  expect(run.stderr).toMatch(/^ {2}- sim:alder,fail=unauthorized:1: .*unauthorized/m);
  expect(run.stderr).toMatch(/^ {2}- sim:gorse,fail=bad_request:1: .*bad_request/m);
  const benchId = /bnc_\w+(?= cannot begin)/.exec(run.stderr)![0];
  const remedy = new RegExp(`^ {2}fix: mend the keys .*; then co-scientist resume ${benchId}$`, 'm');
  expect(run.stderr).toMatch(remedy);
  const later = await runCli(['watch', benchId], env);
  expect(later.exitCode).toBe(1);
  expect(later.stderr).toMatch(/^ {2}- sim:alder,fail=unauthorized:1: .*unauthorized/m);
  expect(later.stderr).toMatch(remedy);
  expect((await runCli(['show', benchId], env)).stdout).toMatch(remedy);
  const { failures } = JSON.parse((await runCli(['failures', benchId, '--json'], env)).stdout);
  expect(failures[0]).toMatchObject({ what: 'bench', place: benchId, kind: 'ProviderUnavailable' });
});

test('Ctrl-C leaves the bench alive, says how to return, 130; then it is shown, cancelled and listed', async () => {
  let hasInterrupted = false;
  const left = await runCli(['bench', 'A goal.', ...ENDLESS, '--n', '1', '--no-probe'], env, {
    onStderr: (text, interrupt) => {
      if (hasInterrupted || !text.includes('generating')) return;
      hasInterrupted = true;
      interrupt();
    },
  });
  expect(left.exitCode).toBe(130);
  const benchId = /^left: bench (bnc_\w+) goes on/m.exec(left.stderr)?.[1] ?? '';
  expect(left.stderr).toContain(`co-scientist watch ${benchId}`);
  const shown = await runCli(['show', benchId], env);
  expect(shown.stdout).toContain(`${benchId} · simulated · generating`);
  const cancelled = await runCli(['cancel', benchId, '--json'], env);
  expect(cancelled.exitCode).toBe(0);
  expect(JSON.parse(cancelled.stdout)).toMatchObject({ benchId, status: 'cancelled' });
  const watched = await runCli(['watch', benchId], env);
  expect(watched.exitCode).toBe(1);
  expect(watched.stderr).toContain('was cancelled');
  const { benches } = JSON.parse((await runCli(['list', '--json'], env)).stdout);
  expect(benches[0]).toMatchObject({ benchId, state: 'cancelled', simulated: true, goal: 'A goal.' });
  expect((await runCli(['list'], env)).stdout).toMatch(new RegExp(`^${benchId} +cancelled `, 'm'));
}, 120_000);

test('--detach prints the id alone, and says how to follow it and have its pages; watch follows it to its end, report writes them', async () => {
  const started = await runCli(['bench', 'A goal.', ...TWO, '--n', '1', '--matches', '1', '--detach'], env);
  expect(started.exitCode).toBe(0);
  expect(started.stdout).toMatch(/^bnc_[0-9A-HJKMNP-TV-Z]{26}\n$/);
  const benchId = started.stdout.trim();
  const commands = started.stderr.match(/co-scientist \w+ bnc_\w+/g);
  expect(commands).toEqual([`co-scientist watch ${benchId}`, `co-scientist report ${benchId}`]);
  const watched = await runCli(['watch', benchId], env);
  expect(watched.exitCode).toBe(0);
  expect(watched.stdout).toContain(`${benchId} · finished`);
  const page = join(home, 'reports', `${benchId}.html`);
  expect(watched.stderr).toContain(`report: ${page}`);
  rmSync(page);
  expect((await runCli(['report', benchId], env)).stdout.split('\n')).toContain(page);
  expect(readFileSync(page, 'utf8')).toContain(benchId);
});

test('a schema that is up to date stays so', async () => {
  const { exitCode, stdout } = await runCli(['migrate'], env);
  expect([exitCode, stdout]).toEqual([0, 'the schema is up to date\n']);
});
