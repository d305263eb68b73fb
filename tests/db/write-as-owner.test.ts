import type { ActivityDeps } from '../../activities/activity-deps';
import { createDropCandidate, createRaiseBudget } from '../../activities/change-bench';
import { createFinishBench } from '../../activities/finish-bench';
import { createMarkDuplicates } from '../../activities/mark-duplicates';
import {
  createAcceptDraft,
  createCloseCandidate,
  createEndSlots,
  createMarkBench,
  createMarkCandidate,
  createMarkHold,
  createReadOpenSlots,
  createSkipReview,
} from '../../activities/set-states';
import { createCloseTournament, createOpenTournament } from '../../activities/tournament-rows';
import { BenchTakenOver, setBenchState } from '../../db/benches';
import { type Draft, readSlot, saveDraft } from '../../db/hypotheses';
import { saveSchedule } from '../../db/matches';
import { takeOverBench } from '../../db/resume';
import type { ToolDocument } from '../../db/schema';
import {
  readToolCalls,
  type StoredToolAnswer,
  type StoredToolCall,
  saveToolAnswer,
  saveToolCalls,
} from '../../db/tool-calls';
import { saveVerdict } from '../../db/verdicts';
import { writeAsOwner } from '../../db/write-as-owner';
import { testDatabaseOfFile } from '../stack/test-database';
import { readBenchRows } from '../workflows/bench-rows';
import { seedBench } from './seed-bench';

const db = testDatabaseOfFile().open('worker');
const deps = { db } as unknown as ActivityDeps;

const OTHER = { namespace: 'test', workflowId: 'another', firstRunId: 'run' };

/** A bench with one match, which another workflow has taken over: its epoch is 2. */
async function takenOverBench(): Promise<string> {
  const benchId = await seedBench(db);
  const [candA, candB] = [`${benchId}/alpha`, `${benchId}/beta`];
  const match = {
    index: 0,
    candA,
    candB,
    hypA: `${candA}/1`,
    hypB: `${candB}/1`,
    oneOrder: null,
    repeats: 0,
  };
  await saveSchedule(db, benchId, [match]);
  await takeOverBench(db, benchId, 1, { ...OTHER, firstRunId: benchId });
  return benchId;
}

/** What activities write, by name; each is called as the owner of epoch 1. */
const WRITES: [string, (benchId: string) => Promise<unknown>][] = [
  ['a bench state', (benchId) => createMarkBench(deps)({ benchId, epoch: 1, state: 'running' })],
  ['a candidate state', (benchId) => createMarkCandidate(deps)({ ...alpha(benchId), state: 'generating' })],
  ['the end of a candidate', (benchId) => createCloseCandidate(deps)(alpha(benchId))],
  [
    'a hold of the bench',
    (benchId) => createMarkHold(deps)({ ...alpha(benchId), candidateId: null, reason: 'x' }),
  ],
  ['a hold of a candidate', (benchId) => createMarkHold(deps)({ ...alpha(benchId), reason: 'x' })],
  ['slots opened again', (benchId) => createReadOpenSlots(deps)({ ...alpha(benchId), isStart: true })],
  [
    'the end of slots',
    (benchId) =>
      createEndSlots(deps)({
        ...slot(benchId),
        hypothesisIds: [slot(benchId).hypothesisId],
        state: 'failed',
        kind: 'x',
      }),
  ],
  ['a draft accepted', (benchId) => createAcceptDraft(deps)(slot(benchId))],
  ['a review passed by', (benchId) => createSkipReview(deps)({ ...slot(benchId), reason: 'x' })],
  ['duplicates', (benchId) => createMarkDuplicates(deps)({ ...alpha(benchId), isFinal: true })],
  ['a raised cap', (benchId) => createRaiseBudget(deps)({ benchId, epoch: 1, scope: 'judge', capUsd: 99 })],
  ['a dropped candidate', (benchId) => createDropCandidate(deps)({ benchId, epoch: 1, label: 'alpha' })],
  ['the schedule', (benchId) => createOpenTournament(deps)({ benchId, epoch: 1 })],
  ['the end of a tournament', (benchId) => createCloseTournament(deps)({ benchId, epoch: 1, reason: 'x' })],
  ['the results', (benchId) => createFinishBench(deps)({ benchId, epoch: 1, status: 'finished' })],
  ['a draft', (benchId) => saveDraft(db, slot(benchId), slot(benchId).hypothesisId, DRAFT)],
  ['tool calls', (benchId) => saveToolCalls(db, slot(benchId), [toolCall(benchId, 1)])],
  ['no tool calls', (benchId) => saveToolCalls(db, slot(benchId), [])],
  [
    'a tool’s answer',
    (benchId) => saveToolAnswer(db, slot(benchId), { ...slot(benchId), turn: 1, index: 0 }, ANSWER),
  ],
  ['a verdict', (benchId) => saveVerdict(db, verdict(benchId), ASKED)],
];

function alpha(benchId: string) {
  return { benchId, epoch: 1, candidateId: `${benchId}/alpha` };
}

function slot(benchId: string) {
  return { benchId, epoch: 1, hypothesisId: `${benchId}/alpha/1` };
}

const DRAFT: Draft = {
  record: {
    title: 'A title',
    summary: 's',
    fullText: 't',
    mechanism: 'm',
    entities: [],
    citations: [],
    falsification: 'f',
  },
  unsupportedCitations: [],
  contentSha256: 'a'.repeat(64),
  draftKind: 'original',
};

const ANSWER: StoredToolAnswer = {
  outcome: 'found',
  failureKind: null,
  text: '1 paper, NUL \0 and all',
  documents: [{ url: 'https://example.org/1', title: 'One' } as ToolDocument],
  cache: 'miss',
  withheldCount: 0,
  latencyMs: 3,
};

function toolCall(benchId: string, turn: number): StoredToolCall {
  return {
    ...slot(benchId),
    ...{ turn, index: 0, callId: 'c1', tool: 'search_pubmed', arguments: '{"query":"x"}' },
    ...{ argumentsSha256: 'b'.repeat(64), repeats: null, answer: null },
  };
}

const ASKED = { judges: ['sim:judge'], asked: [] };

function verdict(benchId: string) {
  const order = 'ab' as const;
  return {
    matchId: `${benchId}/m0`,
    order,
    judge: 'sim:judge',
    repeat: 0,
    benchId,
    epoch: 1,
    callKey: `${benchId}/m0/${order}/sim:judge/1`,
    verdict: { state: 'invalid' as const, reason: 'timeout', detail: '' },
  };
}

test.each(WRITES)(
  '%s by an owner of epoch 1 is refused in epoch 2, and not a row changes',
  async (_, write) => {
    const benchId = await takenOverBench();
    const before = await readBenchRows(db, benchId);
    await expect(write(benchId)).rejects.toBeInstanceOf(BenchTakenOver);
    expect(await readBenchRows(db, benchId)).toEqual(before);
  },
);

test('drafts, tool calls and answers are written once: what stands stays, and their owner is told nothing', async () => {
  const benchId = await seedBench(db);
  const { hypothesisId } = slot(benchId);
  const answered = { ...toolCall(benchId, 2), answer: ANSWER };
  await saveToolCalls(db, slot(benchId), [toolCall(benchId, 1), answered]);
  await saveToolCalls(db, slot(benchId), [{ ...toolCall(benchId, 1), tool: 'another' }]);
  await saveToolAnswer(db, slot(benchId), toolCall(benchId, 1), ANSWER);
  await saveToolAnswer(db, slot(benchId), toolCall(benchId, 1), { ...ANSWER, text: 'another' });
  const stored = { ...ANSWER, text: '1 paper, NUL \uFFFD and all' };
  expect(await readToolCalls(db, hypothesisId)).toMatchObject([
    { turn: 1, tool: 'search_pubmed', arguments: '{"query":"x"}', answer: stored },
    { turn: 2, tool: 'search_pubmed', answer: stored },
  ]);
  await saveDraft(db, slot(benchId), hypothesisId, DRAFT);
  await saveDraft(db, slot(benchId), hypothesisId, { ...DRAFT, contentSha256: 'c'.repeat(64) });
  expect(await readSlot(db, hypothesisId)).toMatchObject({ state: 'draft', contentSha256: 'a'.repeat(64) });
});

test('a take-over waits for a write that has begun, and none of the old owner lands after it', async () => {
  const benchId = await seedBench(db);
  const order: string[] = [];
  let begun = (): void => {};
  const hasBegun = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const writing = writeAsOwner(
    db,
    { benchId, epoch: 1 },
    async (tx) => {
      begun();
      await new Promise((resolve) => setTimeout(resolve, 200));
      await setBenchState(tx, benchId, 'running');
      order.push('written');
    },
    'update',
  );
  await hasBegun;
  const taking = takeOverBench(db, benchId, 1, { ...OTHER, firstRunId: benchId }).then(() =>
    order.push('taken'),
  );
  await Promise.all([writing, taking]);
  expect(order).toEqual(['written', 'taken']);
  await expect(writeAsOwner(db, { benchId, epoch: 1 }, async () => order.push('late'))).rejects.toThrow(
    'epoch 1, now 2',
  );
  expect(order).toEqual(['written', 'taken']);
});
