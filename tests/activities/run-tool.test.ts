import { ApplicationFailure } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import { type ActivityDeps, DEFAULT_CALL_LIMITS } from '../../activities/activity-deps';
import type { LiteratureGateway } from '../../activities/literature';
import type { ToolAnswer } from '../../activities/literature/source';
import { createRunTool } from '../../activities/run-tool';
import { readToolCalls, saveToolCalls } from '../../db/tool-calls';
import { seedBench } from '../db/seed-bench';
import { testDatabaseOfFile } from '../stack/test-database';

const db = testDatabaseOfFile().open('worker');

const BUSY: ToolAnswer = {
  outcome: 'refused',
  failureKind: 'host_busy',
  text: 'busy',
  documents: [],
  cached: false,
  withheldCount: 0,
};
const FOUND: ToolAnswer = {
  outcome: 'found',
  text: '1 paper',
  documents: [],
  cached: false,
  withheldCount: 0,
};

/** A gateway with one source that gives these answers in turn. */
function gatewayOf(answers: ToolAnswer[]): LiteratureGateway {
  const run = async () => answers.shift()!;
  const tool = { name: 'search_pubmed', description: '', inputSchema: {} };
  return { find: () => ({ tool, run }), open: () => ({}) } as unknown as LiteratureGateway;
}

async function plannedCall(): Promise<{ benchId: string; hypothesisId: string }> {
  const benchId = await seedBench(db);
  const hypothesisId = `${benchId}/alpha/1`;
  const argumentsSha256 = 'a'.repeat(64);
  const place = { benchId, hypothesisId, turn: 1, index: 0 };
  await saveToolCalls(db, { benchId, epoch: 1 }, [
    {
      ...place,
      callId: 'c1',
      tool: 'search_pubmed',
      arguments: '{"query":"x"}',
      argumentsSha256,
      repeats: null,
      answer: null,
    },
  ]);
  return { benchId, hypothesisId };
}

function runAt(attempt: number, answers: ToolAnswer[], ref: { benchId: string; hypothesisId: string }) {
  const deps = { db, literature: gatewayOf(answers), calls: DEFAULT_CALL_LIMITS } as unknown as ActivityDeps;
  const input = { ...ref, epoch: 1, turn: 1, index: 0 };
  return new MockActivityEnvironment({ attempt }).run(createRunTool(deps), input) as Promise<string>;
}

test('a call that finds no turn at its host comes back after 5 s and keeps nothing; then its answer counts', async () => {
  const ref = await plannedCall();
  const failure = await runAt(1, [BUSY], ref).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(ApplicationFailure);
  expect(failure).toMatchObject({ type: 'HostBusy', nonRetryable: false, nextRetryDelay: 5000 });
  expect((await readToolCalls(db, ref.hypothesisId))[0]?.answer).toBeNull();
  expect(await runAt(2, [FOUND], ref)).toBe('found');
  expect((await readToolCalls(db, ref.hypothesisId))[0]?.answer?.text).toBe('1 paper');
});

test('after 120 tries the model is told that the host is busy', async () => {
  const ref = await plannedCall();
  expect(await runAt(120, [BUSY], ref)).toBe('refused');
  expect((await readToolCalls(db, ref.hypothesisId))[0]?.answer?.failureKind).toBe('host_busy');
});

test('a call that was answered is not run again: 0 further questions', async () => {
  const ref = await plannedCall();
  await runAt(1, [FOUND], ref);
  expect(await runAt(2, [], ref)).toBe('found');
});
