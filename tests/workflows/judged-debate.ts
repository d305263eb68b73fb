import type { BenchInput } from '../../core/bench-input';
import type { BenchSummary } from '../../core/bench-summary';
import { checkFigures } from '../../core/report/check-figures';
import { readRecordedBench } from '../../db/export-reads';
import { readCalls } from './bench-rows';
import type { BenchWorker } from './bench-worker';
import { type JudgedRows, readJudgedRows } from './judged-rows';

const JUDGE = 'sim:referee';
const INPUT: BenchInput = {
  goal: 'Find a drug for a disease that has none.',
  candidates: ['one=sim:birch@direct', 'two=sim:cedar@direct'],
  judge: JUDGE,
  verdictMode: 'debate',
  debateTurns: 2,
  n: 1,
  matches: 2,
  probe: false,
};

/** Two arguments a side before each verdict; and a judge whose debates break off. */
export function testDebate(shared: () => BenchWorker): void {
  let worker: BenchWorker;
  let summary: BenchSummary;
  let broken: BenchSummary;
  let rows: JudgedRows;
  beforeAll(async () => {
    worker = shared();
    const failing = { ...INPUT, judge: 'sim:referee,fail=refused:1', reviewer: JUDGE };
    [summary, broken] = await Promise.all([worker.run(INPUT), worker.run(failing)]);
    rows = await readJudgedRows(worker.db, summary.benchId);
  });

  test('4 verdicts stand on 16 argument turns: each a ledger row with a key of its own, asked once', async () => {
    const calls = (await readCalls(worker.db, summary.benchId)).filter(({ kind }) =>
      ['debate', 'judge'].includes(kind),
    );
    const places = rows.matches.flatMap(({ id }) => [`${id}/ab/${JUDGE}`, `${id}/ba/${JUDGE}`]);
    const turns = places.flatMap((place) => [1, 2, 3, 4].map((turn) => [`${place}/${turn}`, 'debate']));
    const verdicts = places.map((place) => [`${place}/5`, 'judge']);
    expect(calls.map(({ key, kind }) => [key, kind]).sort()).toEqual([...turns, ...verdicts].sort());
    expect(new Set(calls.map(({ attempt, state }) => `${attempt} ${state}`))).toEqual(new Set(['1 settled']));
    expect(rows.verdicts.map(({ callKey }) => callKey).sort()).toEqual(verdicts.map(([key]) => key).sort());
  });

  test('who is shown first speaks first, each turn reads those before it, and the verdict reads all four', async () => {
    const place = `${rows.matches[0]!.id}/ab/${JUDGE}`;
    const calls = await worker.db
      .selectFrom('bench_llm_calls')
      .select(['key', 'request', 'response'])
      .where('bench_id', '=', summary.benchId)
      .where('kind', 'in', ['debate', 'judge'])
      .execute();
    const turns = [1, 2, 3, 4, 5].map((turn) => calls.find(({ key }) => key === `${place}/${turn}`)!);
    const spoken = turns.slice(0, 4).map(({ response }) => {
      const [call] = (JSON.parse(response!) as { calls: { arguments: string }[] }).calls;
      return (JSON.parse(call!.arguments) as { argument: string }).argument;
    });
    turns.forEach(({ request }, i) => {
      const { turns: asked, system } = JSON.parse(request) as { turns: { text: string }[]; system: string };
      const text = asked[0]!.text;
      expect(spoken.map((argument) => text.includes(argument))).toEqual(spoken.map((_, k) => k < i));
      if (i < 4) expect(text).toContain(`You speak for the ${['first', 'second'][i % 2]} hypothesis.`);
      else expect(text.match(/For the (first|second) hypothesis: /g)).toHaveLength(4);
      for (const label of ['birch', 'cedar', 'one=', 'two=']) expect(system + text).not.toContain(label);
    });
  });

  test('a match costs what all its turns cost, the result names the debate, and figures follow from the rows', async () => {
    const calls = await worker.db
      .selectFrom('bench_llm_calls')
      .select(['key', 'cost_usd'])
      .where('bench_id', '=', summary.benchId)
      .where('kind', 'in', ['debate', 'judge'])
      .execute();
    for (const { id, judgeCostUsd } of rows.matches) {
      const own = calls.filter(({ key }) => key.startsWith(`${id}/`));
      expect(own).toHaveLength(10);
      expect(judgeCostUsd).toBeCloseTo(
        own.reduce((sum, call) => sum + call.cost_usd!, 0),
        12,
      );
    }
    expect(summary.judging).toMatchObject({ verdictMode: 'debate', debateTurns: 2 });
    expect(summary.judges[0]?.costUsd).toBeCloseTo(
      calls.reduce((sum, call) => sum + call.cost_usd!, 0),
      12,
    );
    expect(checkFigures(await readRecordedBench(worker.db, summary.benchId), null)).toEqual([]);
  });

  test('a provider that is overloaded now and then lengthens a debate, and no turn is answered twice', async () => {
    const bumpy = await worker.run({ ...INPUT, judge: 'sim:referee,fail=overloaded:0.4', reviewer: 'none' });
    const calls = (await readCalls(worker.db, bumpy.benchId)).filter(({ kind }) => kind !== 'generation');
    expect(calls.length).toBeGreaterThan(20); // 4 verdicts of 5 calls each, and what was put off
    const settled = calls.filter(({ state }) => state === 'settled').map(({ key }) => key);
    expect(settled).toHaveLength(20);
    expect(new Set(settled).size).toBe(20);
    expect([bumpy.judge.verdicts, bumpy.judge.invalid]).toEqual([4, 0]);
  });

  test('a debate is 4 activities before the 1 of its verdict; an argument put off is tried again by itself', async () => {
    const handle = await worker.start({
      ...INPUT,
      judge: 'sim:referee,fail=overloaded:0.4',
      reviewer: 'none',
    });
    const { benchId } = (await handle.result()) as BenchSummary;
    const calls = await readCalls(worker.db, benchId);
    const sent = (kind: string) => calls.filter((call) => call.kind === kind).length;
    const activities = await readModelActivities(worker, handle.workflowId);
    const tries = (type: string) => activities.filter((one) => one.type === type).map((one) => one.attempts);
    const sum = (numbers: number[]) => numbers.reduce((total, n) => total + n, 0);
    expect([tries('argueTurn').length, tries('judgeVerdict').length]).toEqual([16, 4]); // 4 orders of 2 turns a side
    expect(Math.max(...tries('argueTurn'))).toBeGreaterThan(1);
    // As many tries as requests: none went out again with another's.
    expect([sum(tries('argueTurn')), sum(tries('judgeVerdict'))]).toEqual([sent('debate'), sent('judge')]);
  });

  test('a debate that breaks off in its first turn is an invalid verdict, and nothing more is paid for', async () => {
    const { verdicts, matches } = await readJudgedRows(worker.db, broken.benchId);
    expect(verdicts).toHaveLength(4);
    for (const { state, reason, detail, callKey } of verdicts) {
      expect([state, reason, callKey.endsWith('/1')]).toEqual(['invalid', 'refused', true]);
      expect(detail).toMatch(/^debate turn 1: /);
    }
    expect(matches.map(({ state, reason }) => [state, reason])).toEqual(
      Array(2).fill(['unplayed', 'refused']),
    );
    const kinds = (await readCalls(worker.db, broken.benchId)).map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === 'debate')).toHaveLength(4);
    expect(kinds).not.toContain('judge');
  });
}

/** What a bench's tournament had done on a provider's queue, and in how many tries each. */
async function readModelActivities({ client }: BenchWorker, workflowId: string) {
  const { events } = await client.workflow.getHandle(workflowId).fetchHistory();
  const children = (events ?? []).map((event) => event.startChildWorkflowExecutionInitiatedEventAttributes);
  const child = children.find((one) => one?.workflowType?.name === 'tournament')?.workflowId ?? '';
  const history = (await client.workflow.getHandle(child).fetchHistory()).events ?? [];
  return history.flatMap(({ eventId, activityTaskScheduledEventAttributes: scheduled }) => {
    const started = history.find(
      ({ activityTaskStartedEventAttributes: one }) =>
        one && String(one.scheduledEventId) === String(eventId),
    );
    const attempts = started?.activityTaskStartedEventAttributes?.attempt ?? 0;
    return scheduled ? [{ type: scheduled.activityType?.name ?? '', attempts }] : [];
  });
}
