import type { BenchInput } from '../../core/bench-input';
import type { BenchSummary } from '../../core/bench-summary';
import type { RawReply, SeenRequest } from '../doubles/raw-llm-double';
import { readCalls } from './bench-rows';
import type { BenchWorker } from './bench-worker';
import {
  chatReply,
  errorReply,
  forcedTool,
  goodArguments,
  isOf,
  placeOf,
  recordReply,
} from './double-answers';

/** How an answer can be none, and as what it is recorded; `requests`: how often it is asked for. */
const FAULTS: {
  name: string;
  recordedAs: string | null;
  requests: number;
  reply(request: SeenRequest, attempt: number): RawReply;
}[] = [
  {
    name: 'cut by the output cap',
    recordedAs: 'truncated',
    requests: 1,
    reply: (request) => chatReply(request, { ending: 'truncated', calls: [good(request)] }),
  },
  {
    name: 'refused',
    recordedAs: 'refused',
    requests: 1,
    reply: (request) => chatReply(request, { ending: 'refused' }),
  },
  {
    name: 'words that name a winner instead of a call',
    recordedAs: 'no_call',
    requests: 1,
    reply: (request) => chatReply(request, { text: '{"winner":"first"} The first hypothesis wins.' }),
  },
  { name: 'nothing', recordedAs: 'empty', requests: 1, reply: (request) => chatReply(request, {}) },
  {
    name: 'a value that is not in the enum',
    recordedAs: 'schema',
    requests: 1,
    reply: (request) =>
      recordReply(request, {
        ...goodArguments(forcedTool(request), 'x'),
        winner: 'A',
        entities: 'x',
        strengths: 'x',
      }),
  },
  {
    name: 'arguments that are no JSON',
    recordedAs: 'malformed_arguments',
    requests: 1,
    reply: (request) =>
      chatReply(request, { calls: [{ tool: forcedTool(request), arguments: '{"winner":"first"' }] }),
  },
  {
    name: 'another tool',
    recordedAs: 'wrong_tool',
    requests: 1,
    reply: (request) =>
      chatReply(request, { calls: [{ tool: 'record_winner', arguments: { winner: 'first' } }] }),
  },
  {
    name: 'two calls',
    recordedAs: 'several_calls',
    requests: 1,
    reply: (request) => chatReply(request, { calls: [good(request), good(request)] }),
  },
  { name: 'HTTP 400', recordedAs: 'bad_request', requests: 1, reply: () => errorReply(400) },
  { name: 'HTTP 402', recordedAs: 'payment_required', requests: 1, reply: () => errorReply(402) },
  { name: 'HTTP 500, always', recordedAs: 'attempts_exhausted', requests: 4, reply: () => errorReply(500) },
  {
    name: 'HTTP 500 once',
    recordedAs: null,
    requests: 2,
    reply: (request, attempt) =>
      attempt === 1 ? errorReply(500) : recordReply(request, good(request).arguments),
  },
  {
    name: 'HTTP 429 once',
    recordedAs: null,
    requests: 2,
    reply: (request, attempt) =>
      attempt === 1 ? errorReply(429) : recordReply(request, good(request).arguments),
  },
];

const FREE = { inputUsdPerMTok: 0, outputUsdPerMTok: 0 };
const MODELS = ['good', 'faulty', 'faulty-judge', 'good-judge'].map((model) => `openai-compatible:${model}`);
const BASE: BenchInput = {
  goal: 'Find a drug for a disease that has none.',
  candidates: ['good=openai-compatible:good@direct', 'also-good=openai-compatible:good@direct'],
  judge: 'openai-compatible:faulty-judge',
  reviewer: 'none',
  goldSet: 'none',
  n: 1,
  matches: FAULTS.length,
  generation: { maxTurns: 1 },
  probe: false,
  prices: Object.fromEntries(MODELS.map((model) => [model, FREE])),
};

let worker: BenchWorker;
let judged: BenchSummary;
let generated: BenchSummary;
let reviewed: BenchSummary;

function good(request: SeenRequest) {
  const { key } = placeOf(request);
  const tool = forcedTool(request);
  // Words that no other slot has, or it would be a duplicate.
  const words = key.replace(/\d+/g, (digits) => WORDS[Number(digits) % WORDS.length] ?? '');
  return { tool, arguments: goodArguments(tool, `${words} ${key.length}`) };
}

const WORDS = [
  'metformin starves blasts of glutamine',
  'colchicine empties the marrow niche',
  'ranolazine burns fatty acids at both ends',
  'an antimalarial given by the week',
  'valproate opens what was silenced',
  'sertraline and the lysosome',
  'a statin for the mevalonate hungry',
  'zinc, withheld',
  'heparin as a decoy for CXCL12',
  'niclosamide uncouples quiescent cells',
  'thioridazine against dopamine receptors of stem cells',
  'propranolol quiets the sympathetic nerve',
  'mebendazole breaks spindles',
  'itraconazole and hedgehog',
];

/** The judge's order ab of match i, the reviewer's review and the faulty candidate's slot i + 1 go wrong as fault i; null: not of these benches. */
export function answerInvalidly(request: SeenRequest): RawReply | null {
  if (!isOf(BASE, request)) return null;
  const { key, attempt } = placeOf(request);
  const index = indexOfFault(key);
  const fault = index === null ? undefined : FAULTS[index];
  return fault ? fault.reply(request, attempt) : recordReply(request, good(request).arguments);
}

function indexOfFault(key: string): number | null {
  const match = /^m(\d+)\/ab\/openai-compatible:faulty-judge\//.exec(key);
  if (match) return Number(match[1]);
  const slot = /^faulty\/(\d+)\/turn\/1$/.exec(key) ?? /^good\/(\d+)\/review$/.exec(key);
  return slot ? Number(slot[1]) - 1 : null;
}

async function requestsOf(benchId: string, key: string) {
  const calls = await readCalls(worker.db, benchId);
  return calls.filter((call) => call.key === `${benchId}/${key}`);
}

/** Every way an answer can be none. */
export function testInvalidAnswers(shared: () => BenchWorker, journal: () => SeenRequest[]): void {
  beforeAll(async () => {
    worker = shared();
    const candidates = ['good=openai-compatible:good@direct', 'faulty=openai-compatible:faulty@direct'];
    const other = {
      ...BASE,
      candidates,
      n: FAULTS.length,
      matches: 1,
      judge: 'openai-compatible:good-judge',
    };
    [judged, generated, reviewed] = await Promise.all([
      worker.run(BASE),
      worker.run(other),
      worker.run({ ...other, candidates: BASE.candidates ?? [], reviewer: 'openai-compatible:faulty-judge' }),
    ]);
  });

  describe.each(FAULTS.map((fault, i) => ({ ...fault, i })))('$name', ({ recordedAs, requests, i }) => {
    const kind = recordedAs ?? 'an answer';

    test(`as a verdict is recorded as ${kind} after ${requests} request(s), and is nobody's win`, async () => {
      const { benchId } = judged;
      const match = await worker.db
        .selectFrom('bench_matches')
        .selectAll()
        .where('id', '=', `${benchId}/m${i}`)
        .executeTakeFirstOrThrow();
      const verdicts = await worker.db
        .selectFrom('bench_verdicts')
        .select(['order', 'state', 'reason', 'winner_position'])
        .where('match_id', '=', match.id)
        .orderBy('order')
        .execute();
      const isValid = recordedAs === null;
      const position = isValid ? 'first' : null;
      expect(verdicts).toEqual([
        { order: 'ab', state: isValid ? 'valid' : 'invalid', reason: recordedAs, winner_position: position },
        { order: 'ba', state: 'valid', reason: null, winner_position: 'first' },
      ]);
      // Named first in both orders: a tie by flip where both count, unplayed where one is missing.
      expect(match).toMatchObject(
        isValid
          ? { state: 'played', winner: 'tie', score_a: 0.5 }
          : { state: 'unplayed', reason: recordedAs, winner: null, score_a: null },
      );
      expect(await requestsOf(benchId, `m${i}/ab/openai-compatible:faulty-judge/1`)).toHaveLength(requests);
    });

    test(`as a hypothesis is recorded as ${kind} after ${requests} request(s)`, async () => {
      const { benchId } = generated;
      const slot = await worker.db
        .selectFrom('bench_hypotheses')
        .select(['state', 'failure_kind', 'title'])
        .where('id', '=', `${benchId}/faulty/${i + 1}`)
        .executeTakeFirstOrThrow();
      if (recordedAs !== null)
        expect(slot).toEqual({ state: 'failed', failure_kind: recordedAs, title: null });
      else expect(slot).toMatchObject({ failure_kind: null, title: expect.any(String) });
      expect(await requestsOf(benchId, `faulty/${i + 1}/turn/1`)).toHaveLength(requests);
    });

    test(`as a review is recorded as ${kind} after ${requests} request(s), and the hypothesis goes on`, async () => {
      const { benchId } = reviewed;
      const id = `${benchId}/good/${i + 1}`;
      const review = await worker.db
        .selectFrom('bench_reviews')
        .select(['state', 'reason'])
        .where('hypothesis_id', '=', id)
        .executeTakeFirstOrThrow();
      expect(review).toEqual({ state: recordedAs === null ? 'valid' : 'invalid', reason: recordedAs });
      const slot = await worker.db
        .selectFrom('bench_hypotheses')
        .select('state')
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      expect(['reviewed', 'in_tournament']).toContain(slot.state);
      expect(await requestsOf(benchId, `good/${i + 1}/review`)).toHaveLength(requests);
    });
  });

  test('of 13 matches, 2 are played and 11 are counted by their reasons; nobody has a win', () => {
    const unplayed = Object.fromEntries(
      FAULTS.flatMap(({ recordedAs }) => (recordedAs ? [[recordedAs, 1]] : [])),
    );
    expect(judged.matches).toEqual({ scheduled: 13, played: 2, unplayed });
    expect(judged.judge).toMatchObject({ verdicts: 26, invalid: 11, flips: 2 });
    expect(judged.candidates.map(({ wins, losses, ties }) => ({ wins, losses, ties }))).toEqual(
      Array(2).fill({ wins: 0, losses: 0, ties: 2 }),
    );
  });

  test('of 13 slots, 2 give a hypothesis and 11 are counted by their kinds', () => {
    const failures = Object.fromEntries(
      FAULTS.flatMap(({ recordedAs }) => (recordedAs ? [[recordedAs, 1]] : [])),
    );
    const faulty = generated.candidates.find(({ label }) => label === 'faulty');
    expect(faulty).toMatchObject({ nPlanned: 13, nHypotheses: 2, failures });
  });

  test('one 429 is exactly one attempt more: failed at no cost as rate_limited, then settled', async () => {
    const index = FAULTS.findIndex(({ name }) => name === 'HTTP 429 once');
    const calls = await requestsOf(judged.benchId, `m${index}/ab/openai-compatible:faulty-judge/1`);
    expect(
      calls.map(({ attempt, state, failure_kind, http_status }) => [
        attempt,
        state,
        failure_kind,
        http_status,
      ]),
    ).toEqual([
      [1, 'failed', 'rate_limited', 429],
      [2, 'settled', null, null],
    ]);
    const charged = await worker.db
      .selectFrom('bench_llm_calls')
      .select('cost_usd')
      .where('key', '=', calls[0]?.key ?? '')
      .where('attempt', '=', 1)
      .executeTakeFirstOrThrow();
    expect(charged.cost_usd).toBe(0);
  });

  test('the server saw as many requests as the ledger has rows', async () => {
    let rows = 0;
    for (const { benchId } of [judged, generated, reviewed])
      rows += (await readCalls(worker.db, benchId)).length;
    const ids = [judged, generated, reviewed].map(({ benchId }) => benchId);
    expect(journal().filter(({ callId }) => ids.some((id) => callId?.startsWith(id)))).toHaveLength(rows);
  });
}
