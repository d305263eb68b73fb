import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { historyToJSON } from '@temporalio/common/lib/proto-utils';
import { sql } from 'kysely';
import { readReferences } from '../../activities/scipivot/references';
import type { BenchSummary } from '../../core/bench-summary';
import { randomFrom } from '../../core/random';
import type { Letter } from '../../core/scipivot/public-case';
import { type Database, openDatabase } from '../../db/database';
import { loadDataSet } from '../../db/scipivot-sets';
import { readDataSetFiles } from '../../scripts/scipivot/data-set-files';
import { exportRelease } from '../../scripts/scipivot/export-release';
import { chanceBound } from '../core/scipivot/leak-hunt';
import { huntInMaterial, type NamedCase, type Source } from '../core/scipivot/material-hunt';
import { fixtureQuestions, type Question } from '../workflows/scipivot-worker';
import { createWorkerHome, type WorkerHome, type WorkerProcess } from './worker-process';

/**
 * A run on 248 cases by a real worker process, and then everything that its side can read: the public directory, all
 * rows as role bench_worker, every history with its payloads, and what the process wrote. The labels are drawn here
 * and follow nothing, so nobody who is asked knows any of them: whatever tells one leaked from the grader's side.
 */
let home: WorkerHome;
let worker: WorkerProcess;
let db: Database;
let folder: string;
let summary: BenchSummary;
let sources: Source[];
let cases: NamedCase[];
let labels: Letter[];

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'scipivot-leak-'));
  home = await createWorkerHome({ CO_SCIENTIST_LEASE_SECONDS: '20' });
  db = openDatabase(home.database.workerUrl, { maxConnections: 2 });
  await load(withDrawnLabels());
  worker = await home.startWorker();
  const connection = await Connection.connect({ address: home.temporal.address });
  const client = new Client({ connection, namespace: home.temporal.namespace });
  const { taskQueue } = home.temporal;
  summary = (await client.workflow.execute('bench', {
    taskQueue,
    workflowId: `${taskQueue}-leak`,
    args: [
      {
        scipivot: 'drawn',
        n: 0,
        candidates: [
          'merit=sim:elm,accuracy=0.9',
          'coin=sim:elm,accuracy=0.5',
          'always-a=sim:elm,answer=always-a',
        ],
        probe: false,
      },
    ],
  })) as BenchSummary;
  sources = [
    ...publicFiles(),
    ...(await readableRows()),
    ...(await histories(client, `${taskQueue}-leak`)),
    { name: 'log', records: worker.output().split('\n') },
    { name: 'result', records: [JSON.stringify(summary)] },
  ];
  await connection.close();
  ({ cases, labels } = truth());
}, 300_000);
afterAll(async () => {
  await worker?.stop();
  await db.destroy();
  await home.database.drop();
  rmSync(folder, { recursive: true, force: true });
});

/** Labels that follow nothing: 124 of each, shuffled. */
function withDrawnLabels(): Question[] {
  const drawn = randomFrom(20261004, 'labels of nothing').shuffle(
    Array.from({ length: 248 }, (_, i): Letter => (i < 124 ? 'A' : 'B')),
  );
  return fixtureQuestions().map((question, i) => ({ ...question, label: drawn[i]! }));
}

async function load(questions: readonly Question[]): Promise<void> {
  const places = { publicDir: path.join(folder, 'public'), graderDir: path.join(folder, 'grader') };
  const release = path.join(folder, 'questions.json');
  writeFileSync(release, JSON.stringify({ questions }));
  const output = path.join(folder, 'receipt.json');
  await exportRelease({ ...places, questions: release, output, caseIds: 'opaque', allowUnpinned: true });
  const { set } = await readDataSetFiles({ ...places, name: 'drawn' });
  const owner = openDatabase(home.database.ownerUrl, { maxConnections: 1 });
  await loadDataSet(owner, set);
  await owner.destroy();
}

function publicFiles(): Source[] {
  return readdirSync(path.join(folder, 'public')).map((name) => ({
    name: `file ${name}`,
    records: readFileSync(path.join(folder, 'public', name), 'utf8').split('\n'),
  }));
}

/** Every table, in the order its rows lie in; what bench_worker may not read is not there. */
async function readableRows(): Promise<Source[]> {
  const { rows: tables } = await sql<{ name: string }>`
    SELECT relname AS name FROM pg_class
     WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r' AND has_table_privilege(oid, 'SELECT')
     ORDER BY 1`.execute(db);
  const found: Source[] = [];
  for (const { name } of tables) {
    const { rows } = await sql<{ row: string }>`
      SELECT to_json(t)::text AS row FROM ${sql.id(name)} t ORDER BY ctid`.execute(db);
    found.push({ name: `table ${name}`, records: rows.map(({ row }) => row) });
  }
  return found;
}

/** The bench and every child, an event a record, payloads decoded. */
async function histories(client: Client, workflowId: string): Promise<Source[]> {
  const found: Source[] = [];
  const open = [workflowId];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    const history = await client.workflow.getHandle(id).fetchHistory();
    const { events } = JSON.parse(historyToJSON(history)) as { events: HistoryEvent[] };
    for (const event of events) {
      const child = event.startChildWorkflowExecutionInitiatedEventAttributes?.workflowId;
      if (child) open.push(child);
    }
    const records = events.map((event) => JSON.stringify(event, decoded));
    const name = `history ${id.replace(/^bnc_\w+\//, '').replace(/-[0-9a-f]{8}$/, '')}`;
    found.push({ name, records });
  }
  return found;
}

interface HistoryEvent {
  startChildWorkflowExecutionInitiatedEventAttributes?: { workflowId: string };
}

function decoded(key: string, value: unknown): unknown {
  if (key !== 'data' || typeof value !== 'string') return value;
  try {
    return JSON.parse(Buffer.from(value, 'base64').toString('utf8'));
  } catch {
    return value;
  }
}

function truth(): { cases: NamedCase[]; labels: Letter[] } {
  const prompts = readFileSync(path.join(folder, 'public', 'prompts.jsonl'), 'utf8')
    .trim()
    .split('\n');
  const { references } = readReferences(readFileSync(path.join(folder, 'grader', 'references.json')));
  const byId = new Map(references.map(({ caseId, label }) => [caseId, label]));
  const ids = prompts
    .filter((_, i) => i % 2 === 0)
    .map((line) => (JSON.parse(line) as { case_id: string }).case_id);
  return {
    cases: ids.map((id, i) => ({ id, positions: [2 * i, 2 * i + 1] })),
    labels: ids.map((id) => byId.get(id)!),
  };
}

test('the run is whole: 3 × 496 sessions, graded, and nobody knew a label', () => {
  const { subjects } = summary.scipivot!;
  expect(subjects.map(({ nEnded }) => nEnded)).toEqual([496, 496, 496]);
  for (const { score } of subjects) expect(Math.abs(score!.mean - 0.5)).toBeLessThan(0.1);
});

test('the material is there: prompts, 1,488 calls and sessions, the histories of 7 workflows, a log', () => {
  const records = (name: string) => sources.find((source) => source.name === name)?.records.length ?? 0;
  expect(records('file prompts.jsonl')).toBe(497);
  expect(records('table bench_llm_calls')).toBe(1488);
  expect(records('table bench_scipivot_sessions')).toBe(1488);
  expect(sources.filter(({ name }) => name.startsWith('history '))).toHaveLength(7);
  expect(records('history scipivot/merit')).toBeGreaterThan(1000);
  expect(records('log')).toBeGreaterThan(0);
  const tables = sources.map(({ name }) => name);
  expect(tables).not.toContain('table bench_scipivot_references');
  expect(tables).not.toContain('table bench_scipivot_case_scores');
});

test('no attempt to rebuild the 248 labels from it does better than chance', () => {
  expect(huntInMaterial(sources, cases, labels)).toEqual([]);
});

test('no case stands beside a label, a reference or a score of its own, and no prompt or answer is in a history or log', () => {
  for (const { name, records } of sources) {
    if (name.startsWith('file ')) continue;
    const telling = records.filter((text) => /case-[0-9a-f]{16}/.test(text));
    expect([name, telling.filter((text) => /"label"|"reference|"correct"|case_score/.test(text))]).toEqual([
      name,
      [],
    ]);
    if (!name.startsWith('history ') && name !== 'log') continue;
    expect([name, records.filter((text) => /plan_a|Choose the plan/.test(text))]).toEqual([name, []]);
  }
});

/** Whoever knows how well somebody did may follow that one, or go against it: what sums over all cases give away. */
test('following whoever the sums say did best, or the vote of all, is no better than chance allows for 9 attempts', async () => {
  const rows = await db
    .selectFrom('bench_scipivot_sessions')
    .select(['subject', 'position', 'response'])
    .orderBy('subject')
    .orderBy('position')
    .execute();
  const named = (subject: string, position: number): Letter => {
    const given = rows.find((row) => row.subject === subject && row.position === position)
      ?.response as Letter;
    return position % 2 === 0 ? given : given === 'A' ? 'B' : 'A';
  };
  const attempts: Letter[][] = [];
  for (const { subject, score } of summary.scipivot!.subjects) {
    for (const [order, offset] of [
      ['ab', 0],
      ['ba', 1],
    ] as const) {
      const isAgainst = score!.meanByOrder[order] < 0.5;
      attempts.push(
        cases.map((_, i) => {
          const letter = named(subject, 2 * i + offset);
          return isAgainst === (letter === 'A') ? 'B' : 'A';
        }),
      );
    }
  }
  const vote = (weights: readonly number[]) =>
    cases.map((_, i): Letter => {
      const forA = attempts.reduce((sum, guess, k) => sum + (guess[i] === 'A' ? 1 : -1) * weights[k]!, 0);
      return forA > 0 ? 'A' : 'B';
    });
  const edges = summary.scipivot!.subjects.flatMap(({ score }) =>
    (['ab', 'ba'] as const).map((order) => Math.abs(score!.meanByOrder[order] - 0.5)),
  );
  attempts.push(vote(attempts.map(() => 1)), vote(edges), vote(edges.map((edge) => edge ** 2)));
  const accuracies = attempts.map((guess) => guess.filter((letter, i) => letter === labels[i]).length / 248);
  expect(accuracies).toHaveLength(9);
  expect(Math.max(...accuracies)).toBeLessThan(chanceBound(248, 9));
});

describe('finds what is planted, so it can find something:', () => {
  /** The one source that was changed: the others are as they were above. */
  const plant = (name: string, change: (records: string[]) => string[]): Source[] =>
    sources.flatMap((source) => (source.name === name ? [{ name, records: change(source.records) }] : []));
  const labelOf = (text: string): Letter | undefined => {
    const i = cases.findIndex(({ id, positions }) => {
      const position = /(?:"position":|session )(\d+)/.exec(text)?.[1];
      return text.includes(id) || positions.includes(Number(position ?? -1));
    });
    return labels[i];
  };
  const attempts = (planted: Source[]) =>
    huntInMaterial(planted, cases, labels).map(({ attempt }) => attempt);

  test('a field of a session that says whether it was right', () => {
    const planted = plant('table bench_scipivot_sessions', (records) =>
      records.map((text) => {
        const { position, response } = JSON.parse(text) as { position: number; response: Letter };
        const isRight = (position % 2 === 0) === (response === labelOf(text));
        return text.replace('{', `{"grade":"${isRight ? 'r' : 'w'}${position % 2}${response}",`);
      }),
    );
    expect(attempts(planted)).toContain('table bench_scipivot_sessions: learner on fields and values');
  });

  test('a latency that is a little longer for cases labelled A', () => {
    const planted = plant('table bench_llm_calls', (records) =>
      records.map((text) =>
        text.replace(
          /"latency_ms":(\d+)/,
          (_, ms: string) => `"latency_ms":${Number(ms) + (labelOf(text) === 'A' ? 400 : 0)}`,
        ),
      ),
    );
    expect(attempts(planted)).toContain('table bench_llm_calls: latency_ms, above the median');
  });

  test('a history in which cases labelled A come first', () => {
    const planted = plant('history scipivot/merit', (records) =>
      [...records].sort((one, other) => ((labelOf(one) ?? 'C') < (labelOf(other) ?? 'C') ? -1 : 1)),
    );
    expect(attempts(planted).some((attempt) => attempt.startsWith('history scipivot/merit: '))).toBe(true);
  });

  test('one line of a log for every case that is labelled B', () => {
    const lines = cases.flatMap(({ id }, i) => (labels[i] === 'B' ? [`graded ${id}`] : []));
    const planted = plant('log', (records) => [...records, ...lines]);
    expect(attempts(planted).some((attempt) => attempt.startsWith('log: '))).toBe(true);
  });
});
