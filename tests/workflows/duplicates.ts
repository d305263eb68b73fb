import type { BenchInput } from '../../core/bench-input';
import type { RawReply, SeenRequest } from '../doubles/raw-llm-double';
import { readCalls } from './bench-rows';
import type { BenchWorker } from './bench-worker';
import { forcedTool, goodArguments, isOf, placeOf, promptOf, recordReply } from './double-answers';

const FREE = { inputUsdPerMTok: 0, outputUsdPerMTok: 0 };
const INPUT: BenchInput = {
  goal: 'Find a drug for a disease that has none.',
  candidates: [
    'stubborn=openai-compatible:stubborn@direct',
    'pliant=openai-compatible:pliant@direct',
    'echoing=openai-compatible:echoing@direct',
    'spaced=openai-compatible:spaced@direct',
    'broken=openai-compatible:broken@direct',
  ],
  judge: 'openai-compatible:plain-judge',
  reviewer: 'none',
  goldSet: 'none',
  n: 3,
  matches: 1,
  generation: { maxTurns: 2 },
  probe: false,
  prices: Object.fromEntries(
    ['stubborn', 'pliant', 'echoing', 'spaced', 'broken', 'plain-judge'].map((model) => [
      `openai-compatible:${model}`,
      FREE,
    ]),
  ),
};
/** Turns 1 and 2 are the slot's own; the nudge and its repair come after them. */
const NUDGE = /\/turn\/[34]$/;
const FIRST = 'Metformin starves the blasts of glutamine by way of complex I';
const SECOND = 'Does colchicine keep leukaemic stem cells out of their niche?';
const THIRD = 'Ranolazine with venetoclax: fatty acids burnt at both ends';

let worker: BenchWorker;
let benchId: string;

/** How the models of this bench answer; null: it is none of them. */
export function answerForDuplicates(request: SeenRequest): RawReply | null {
  return isOf(INPUT, request) ? recordReply(request, argumentsFor(request)) : null;
}

/** Every slot of every candidate is answered with one idea; the models differ in what a nudge does to them. */
function argumentsFor(request: SeenRequest): Record<string, unknown> {
  const { key } = placeOf(request);
  const [model = '', slot = ''] = key.split('/');
  if (forcedTool(request) !== 'record_hypothesis') return goodArguments(forcedTool(request), 'judged');
  if (!NUDGE.test(key)) return goodArguments('record_hypothesis', FIRST);
  if (model === 'pliant') return goodArguments('record_hypothesis', slot === '2' ? SECOND : THIRD);
  if (model === 'echoing') return goodArguments('record_hypothesis', SECOND);
  if (model === 'spaced')
    return goodArguments('record_hypothesis', `  ${FIRST.toUpperCase().replace(' ', '\n ')}`);
  if (model === 'broken') return { title: 'No more ideas' };
  return goodArguments('record_hypothesis', FIRST);
}

async function slotsOf(label: string) {
  const rows = await worker.db
    .selectFrom('bench_hypotheses')
    .select(['k', 'state', 'draft_kind', 'duplicate_of', 'failure_kind', 'title'])
    .where('candidate_id', '=', `${benchId}/${label}`)
    .orderBy('k')
    .execute();
  return rows.map((row) => [
    row.state === 'reviewed' || row.state === 'in_tournament' ? 'kept' : row.state,
    row.draft_kind,
    row.duplicate_of?.split('/').at(-1) ?? null,
    row.title,
  ]);
}

async function turnsOf(label: string): Promise<string[]> {
  const calls = await readCalls(worker.db, benchId);
  const start = `${benchId}/${label}/`;
  return calls.filter(({ key }) => key.startsWith(start)).map(({ key }) => key.slice(start.length));
}

/** What becomes of slots that say what another slot has said. */
export function testDuplicates(shared: () => BenchWorker, journal: () => SeenRequest[]): void {
  beforeAll(async () => {
    worker = shared();
    ({ benchId } = await worker.run(INPUT));
  });

  test('3 slots with one idea that a nudge does not change: 1 kept, 2 nudged once each and then duplicates of it', async () => {
    expect(await slotsOf('stubborn')).toEqual([
      ['kept', 'original', null, FIRST],
      ['duplicate', 'nudged', '1', FIRST],
      ['duplicate', 'nudged', '1', FIRST],
    ]);
    expect(await turnsOf('stubborn')).toEqual(['1/turn/1', '2/turn/1', '2/turn/3', '3/turn/1', '3/turn/3']);
  });

  test('nudged to 2 other ideas, all 3 slots are kept and those 2 marked as nudged', async () => {
    expect(await slotsOf('pliant')).toEqual([
      ['kept', 'original', null, FIRST],
      ['kept', 'nudged', null, SECOND],
      ['kept', 'nudged', null, THIRD],
    ]);
  });

  test('nudged to 1 other idea, the first of 2 slots is kept and the second its duplicate, without another nudge', async () => {
    expect(await slotsOf('echoing')).toEqual([
      ['kept', 'original', null, FIRST],
      ['kept', 'nudged', null, SECOND],
      ['duplicate', 'nudged', '2', SECOND],
    ]);
    expect(await turnsOf('echoing')).toEqual(['1/turn/1', '2/turn/1', '2/turn/3', '3/turn/1', '3/turn/3']);
  });

  test('other capitals and white space make no other idea', async () => {
    expect((await slotsOf('spaced')).map(([state]) => state)).toEqual(['kept', 'duplicate', 'duplicate']);
  });

  test('a nudge that gives no record leaves the first draft, which ends as a duplicate', async () => {
    expect(await slotsOf('broken')).toEqual([
      ['kept', 'original', null, FIRST],
      ['duplicate', 'original', '1', FIRST],
      ['duplicate', 'original', '1', FIRST],
    ]);
  });

  test('5 candidates with one idea are 5 ideas: nothing is a duplicate of another candidate', async () => {
    const rows = await worker.db
      .selectFrom('bench_hypotheses')
      .select(['candidate_id', 'duplicate_of'])
      .where('bench_id', '=', benchId)
      .where('duplicate_of', 'is not', null)
      .execute();
    expect(rows).toHaveLength(7);
    for (const { candidate_id, duplicate_of } of rows) expect(duplicate_of).toMatch(`${candidate_id}/`);
  });

  test('the summary counts them by candidate', async () => {
    const run = await worker.db
      .selectFrom('bench_runs')
      .select('summary')
      .where('id', '=', benchId)
      .executeTakeFirstOrThrow();
    const kept = run.summary?.candidates.map(({ label, nHypotheses, failures }) => [
      label,
      nHypotheses,
      failures,
    ]);
    expect(kept?.sort()).toEqual([
      ['broken', 1, { duplicate: 2 }],
      ['echoing', 2, { duplicate: 1 }],
      ['pliant', 3, {}],
      ['spaced', 1, { duplicate: 2 }],
      ['stubborn', 1, { duplicate: 2 }],
    ]);
  });

  test('a nudge says that the idea is taken and tells no other slot that it is: its words are the same for all', () => {
    const nudges = journal().filter(
      ({ callId }) => callId?.startsWith(benchId) && callId.endsWith('/turn/3#1'),
    );
    expect(nudges.length).toBeGreaterThanOrEqual(10);
    const others = nudges.filter(({ callId }) => callId?.includes('/pliant/'));
    expect(new Set(others.map(promptOf)).size).toBe(1);
    for (const nudge of nudges) expect(promptOf(nudge)).toMatch(/already taken/i);
  });
}
