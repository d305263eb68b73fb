import type { BenchSummary } from '../../core/bench-summary';
import { fixtureQuestions, type Question, type ScipivotWorker, startScipivotWorker } from './scipivot-worker';
import { until } from './until';

jest.setTimeout(240_000);

const CASES = 600;

/** More cases than a release has, each with texts of its own. */
function manyQuestions(): Question[] {
  const questions = fixtureQuestions();
  return Array.from({ length: CASES }, (_, i) => {
    const { option_a, option_b, label } = questions[i % questions.length]!;
    const round = Math.floor(i / questions.length);
    const note = round === 0 ? '' : ` Round ${round}.`;
    return { id: `many-${i}`, option_a: `${option_a}${note}`, option_b: `${option_b}${note}`, label };
  });
}

let worker: ScipivotWorker;
beforeAll(async () => {
  worker = await startScipivotWorker(manyQuestions());
});
afterAll(() => worker.close());

test('1,200 sessions of one model take 2 runs of its workflow, none over 4,096 events, and each is held once', async () => {
  const input = { scipivot: 'fixture', n: 0, candidates: ['always-a=sim:elm,answer=always-a'], probe: false };
  const handle = await worker.start(input);
  const summary = (await handle.result()) as BenchSummary;
  const [asked] = summary.scipivot!.subjects;
  expect(asked).toMatchObject({
    nSessions: 1200,
    nEnded: 1200,
    score: { nCases: CASES, orderConsistency: 0 },
  });
  const rows = await readKeys();
  expect(rows.length).toBe(1200);
  expect(new Set(rows.map(({ key }) => key)).size).toBe(1200);
  await until('both runs are listed', async () => (await historyLengths()).length >= 2);
  const lengths = await historyLengths();
  expect(lengths).toHaveLength(2);
  expect(Math.max(...lengths)).toBeLessThanOrEqual(4096);
});

async function historyLengths(): Promise<number[]> {
  const lengths: number[] = [];
  for await (const run of worker.client.workflow.list({ query: 'WorkflowType = "scipivot"' })) {
    if (run.taskQueue === worker.temporal.taskQueue) lengths.push(run.historyLength);
  }
  return lengths;
}

async function readKeys() {
  const rows = await worker.db
    .selectFrom('bench_llm_calls')
    .select('key')
    .where('kind', '=', 'scipivot')
    .where('state', '=', 'settled')
    .execute();
  return rows;
}
