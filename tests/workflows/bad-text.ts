import type { BenchInput } from '../../core/bench-input';
import type { BenchSummary } from '../../core/bench-summary';
import type { RawReply, SeenRequest } from '../doubles/raw-llm-double';
import type { BenchWorker } from './bench-worker';
import { chatReply, forcedTool, goodArguments, isOf, placeOf, recordReply } from './double-answers';

const FREE = { inputUsdPerMTok: 0, outputUsdPerMTok: 0 };
const INPUT: BenchInput = {
  goal: 'Find a drug for a disease that has none.',
  candidates: ['odd=openai-compatible:odd-texts@direct', 'even=openai-compatible:even-texts@direct'],
  judge: 'openai-compatible:texts-judge',
  reviewer: 'none',
  goldSet: 'none',
  n: 5,
  matches: 5,
  generation: { maxTurns: 1 },
  probe: false,
  prices: Object.fromEntries(
    ['odd-texts', 'even-texts', 'texts-judge'].map((model) => [`openai-compatible:${model}`, FREE]),
  ),
};

const IDEAS = [
  'metformin',
  'colchicine by night',
  'ranolazine twice',
  'an antimalarial',
  'zinc withheld here',
];
const DEEP = '['.repeat(10_000) + ']'.repeat(10_000);
const RIGHT_TO_LEFT = 'סרטן \u202Eabc\u202C and zero\u200Bwidth\u2060joined';
const MEGABYTES = 5 * 1024 * 1024;

/** How the models of this bench answer; null: it is none of them. */
export function answerWithBadText(request: SeenRequest): RawReply | null {
  if (!isOf(INPUT, request)) return null;
  const { key } = placeOf(request);
  const [label = '', k = ''] = key.split('/');
  const tool = forcedTool(request);
  if (tool !== 'record_hypothesis') return recordReply(request, goodArguments(tool, 'judged \0 \uD800'));
  const values = goodArguments(tool, IDEAS[Number(k) - 1] ?? '');
  return label === 'odd'
    ? oddReply(request, k, values)
    : recordReply(request, { ...values, title: `${k} of the even` });
}

function oddReply(request: SeenRequest, k: string, values: Record<string, unknown>): RawReply {
  switch (k) {
    case '1':
      return recordReply(request, { ...values, title: 'a NUL \0 and half a pair \uD83D', entities: ['\0'] });
    case '2': {
      const good = recordReply(request, values);
      const text = good.kind === 'json' ? JSON.stringify(good.body) : '';
      const headers = { 'content-type': 'application/json' };
      return { kind: 'text', headers, text: text.replace(/^\{/, `{"vendor_extra":${DEEP},`) };
    }
    case '3':
      return chatReply(request, { calls: [{ tool: forcedTool(request), arguments: `{"title":${DEEP}}` }] });
    case '4':
      return recordReply(request, { ...values, title: RIGHT_TO_LEFT });
    default:
      return recordReply(request, { ...values, full_text: 'A long text.'.repeat(MEGABYTES / 12) });
  }
}

/** Texts that break tables, parsers and screens. */
export function testBadText(shared: () => BenchWorker): void {
  let worker: BenchWorker;
  let summary: BenchSummary;
  beforeAll(async () => {
    worker = shared();
    summary = await worker.run(INPUT);
  });

  const slotOf = (k: number) =>
    worker.db
      .selectFrom('bench_hypotheses')
      .select(['state', 'failure_kind', 'title', 'full_text', 'entities'])
      .where('id', '=', `${summary.benchId}/odd/${k}`)
      .executeTakeFirstOrThrow();
  const answerOf = async (k: number) => {
    const key = `${summary.benchId}/odd/${k}/turn/1`;
    const call = worker.db.selectFrom('bench_llm_calls').select(['state', 'response']).where('key', '=', key);
    return call.executeTakeFirstOrThrow();
  };

  test('no row of it blocks the bench: 4 of 5 texts are kept, 1 is malformed, the 20 % of matches that lack it are unplayed', () => {
    expect(summary).toMatchObject({ status: 'finished', judge: { verdicts: 8, invalid: 0 } });
    const odd = summary.candidates.find(({ label }) => label === 'odd');
    expect(odd).toMatchObject({ nHypotheses: 4, failures: { malformed_arguments: 1 } });
    expect(summary.matches).toEqual({ scheduled: 5, played: 4, unplayed: { no_hypothesis: 1 } });
  });

  test('NUL and half a surrogate pair are marked with U+FFFD in the table, and stand in the ledger as they came', async () => {
    expect(await slotOf(1)).toMatchObject({
      title: 'a NUL \uFFFD and half a pair \uFFFD',
      entities: ['\uFFFD'],
    });
    const { state, response } = await answerOf(1);
    expect(state).toBe('settled');
    expect(response).toMatch(/\\\\u0000|\\u0000/);
  });

  test('an answer 10,000 levels deep is settled and its record used; the depth is cut in the ledger, not lost', async () => {
    expect(await slotOf(2)).toMatchObject({ failure_kind: null, title: IDEAS[1] });
    const { state, response } = await answerOf(2);
    expect(state).toBe('settled');
    expect(response).toContain('vendor_extra');
    expect(response).toContain(IDEAS[1]);
  });

  test('arguments 10,000 levels deep fail their slot as malformed, and the answer is kept', async () => {
    expect(await slotOf(3)).toMatchObject({ state: 'failed', failure_kind: 'malformed_arguments' });
    expect((await answerOf(3)).response).toContain(DEEP.slice(0, 9_000));
  });

  test('right-to-left, override and zero-width characters stay as they are', async () => {
    expect((await slotOf(4)).title).toBe(RIGHT_TO_LEFT);
  });

  test('5 MB are 5 MB', async () => {
    const { full_text: text } = await slotOf(5);
    expect(text?.length).toBe(Math.floor(MEGABYTES / 12) * 12);
  });

  test('a verdict whose rationale holds a NUL counts, with the mark in its place', async () => {
    const verdicts = worker.db
      .selectFrom('bench_verdicts')
      .select('rationale')
      .where('bench_id', '=', summary.benchId);
    for (const { rationale } of await verdicts.execute()) expect(rationale).toBe('judged \uFFFD \uFFFD');
  });
}
