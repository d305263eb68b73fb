import { readAllRows } from './bench-rows';
import type { BenchWorker } from './bench-worker';
import { temporalCli } from './temporal-cli';

let worker: BenchWorker;
let rowsBefore: number;

interface Refusal {
  message: string;
  type: string;
  nonRetryable: boolean;
  bytes: number;
  attempts: number[];
}

interface HistoryEvent {
  activityTaskStartedEventAttributes?: { attempt: number };
  workflowExecutionFailedEventAttributes?: {
    failure: { message: string; applicationFailureInfo: { type: string; nonRetryable: boolean } };
  };
}

/** Starts a bench with Temporal's CLI and reads from its history how it ended. */
async function refusalOf(name: string, ...input: string[]): Promise<Refusal> {
  const { temporal } = worker;
  const workflowId = `${temporal.taskQueue}-${name}`;
  const how = ['--type', 'bench', '--task-queue', temporal.taskQueue, '--workflow-id', workflowId];
  await temporalCli(temporal, 'workflow', 'start', ...how, ...input);
  await expect(temporalCli(temporal, 'workflow', 'result', '-w', workflowId)).rejects.toThrow();
  const told = await temporalCli(temporal, 'workflow', 'show', '-w', workflowId, '--output', 'json');
  const events: HistoryEvent[] = JSON.parse(told).events;
  const failure = events.at(-1)?.workflowExecutionFailedEventAttributes?.failure;
  if (!failure) throw new Error(`${workflowId} did not fail`);
  return {
    message: failure.message,
    ...failure.applicationFailureInfo,
    bytes: Buffer.byteLength(JSON.stringify(failure)),
    attempts: events.flatMap((event) => event.activityTaskStartedEventAttributes?.attempt ?? []),
  };
}

/** Of all tables. */
async function countRows(): Promise<number> {
  const tables = Object.values(await readAllRows(worker.database.ownerUrl));
  return tables.reduce((sum, rows) => sum + rows.length, 0);
}

/** Inputs that are refused, from the CLI. */
export function testInvalidInput(shared: () => BenchWorker): void {
  beforeAll(async () => {
    worker = shared();
    rowsBefore = await countRows();
  });

  test('of an input with 8 faults all 8 are told, with did-you-mean, at the first of 1 attempts, and no row is written', async () => {
    const refusal = await refusalOf(
      'eight-faults',
      '--input',
      JSON.stringify({
        preset: 'demo',
        candidates: [
          'one=sim:alder@direct',
          'one=opnai:gpt-5@direct',
          'two=sim:aldr@direct',
          '=sim:elm@turbo',
        ],
        judge: 'sim:referee',
        goldSet: 'aml-repurposing-paper-6',
        n: 0,
        matches: 'three',
        budgetPerCandidatUsd: 3,
      }),
    );
    expect(refusal).toMatchObject({ type: 'InvalidBenchInput', nonRetryable: true, attempts: [1] });
    for (const told of [
      /candidates\[1\]: the label "one" is already that of candidates\[0\]/,
      /candidates\[1\]: unknown provider "opnai".*did you mean openai\?/,
      /candidates\[2\]: unknown sim model "aldr".*did you mean alder\?/,
      /candidates\[3\]: .*label/,
      /candidates\[3\]: .*turbo/,
      /goldSet: unknown "aml-repurposing-paper-6".*did you mean aml-repurposing-paper-5\?/,
      /n: 0 is not an integer from 1 to 1000/,
      /matches: "three" is not a finite number/,
      /unknown field "budgetPerCandidatUsd"/,
    ]) {
      expect(refusal.message).toMatch(told);
    }
    expect(await countRows()).toBe(rowsBefore);
  });

  test('of an input with 300 faults 20 are told and the rest counted, in under 3 KB, at the first attempt', async () => {
    const candidates = Array.from(
      { length: 150 },
      (_, i) => `label ${i} ${'ü'.repeat(80)}=nowhere:${'m'.repeat(300)}`,
    );
    const refusal = await refusalOf('many-faults', '--input', JSON.stringify({ goal: 'Any.', candidates }));
    expect(refusal).toMatchObject({ type: 'InvalidBenchInput', nonRetryable: true, attempts: [1] });
    expect(refusal.message).toMatch(/^\d{3,} problems in the bench input:/);
    expect(refusal.message.split('\n')).toHaveLength(22);
    expect(refusal.message).toMatch(/\n- and \d+ more$/);
    expect(refusal.bytes).toBeLessThan(3_000);
    expect(await countRows()).toBe(rowsBefore);
  });

  test.each([
    ['no input at all', []],
    ['a text', ['--input', '"paper-aml"']],
    ['a list', ['--input', '[]']],
    ['nothing', ['--input', 'null']],
  ])('%s instead of one object is refused as InvalidBenchInput at the first attempt', async (name, input) => {
    const refusal = await refusalOf(name.replaceAll(' ', '-'), ...input);
    expect(refusal).toMatchObject({ type: 'InvalidBenchInput', nonRetryable: true, attempts: [1] });
    expect(refusal.message).toMatch(/input/);
    expect(await countRows()).toBe(rowsBefore);
  });
}
