import { Connection, Client as TemporalClient } from '@temporalio/client';
import { Client } from 'pg';
import { listAt, textAt } from '../../activities/providers/json-path';
import type { BenchInput } from '../../core/bench-input';
import { type Database, openDatabase } from '../../db/database';
import { findPrompt } from '../../presets';
import { type LiteratureDouble, startLiteratureDouble } from '../doubles/literature-double';
import { type LlmDouble, startLlmDouble } from '../doubles/llm-double';
import type { RawReply, SeenRequest } from '../doubles/raw-llm-double';
import { testStack } from '../stack/test-stack';
import { readAllRows } from '../workflows/bench-rows';
import { chatReply, forcedTool, goodArguments, placeOf, recordReply } from '../workflows/double-answers';
import { type KeptTexts, readKeptTexts } from './history-texts';
import { createWorkerHome, type WorkerHome, type WorkerProcess } from './worker-process';

/** Words that stand nowhere else, by where they were planted. */
const GOAL = 'canarygoal7d1f';
const ANSWER = 'canaryanswer3b9c';
const BAD_ANSWER = 'canarybad51e0';
const ERROR_BODY = 'canaryerror88a2';
const DOCUMENT = 'canarydocument0c4e';
const QUERY = 'canaryquery9e7b';
const KEYS = {
  ANTHROPIC_API_KEY: 'canarykey-anthropic-1',
  OPENAI_API_KEY: 'canarykey-openai-2',
  GOOGLE_API_KEY: 'canarykey-google-3',
  OPENROUTER_API_KEY: 'canarykey-openrouter-4',
  OPENAI_COMPATIBLE_API_KEY: 'canarykey-compatible-5',
  NCBI_API_KEY: 'canarykey-ncbi-6',
};
/** Sentences of our prompts: not secret, but no payload's business. */
const PROMPTS = [
  'generation-direct',
  'generation-pipeline',
  'verdict',
  'review',
  'nudge',
  'repair',
  'probe',
].map((name) => {
  const { system, user } = findPrompt(name);
  return [...system, ...user].reduce((a, b) => (b.length > a.length ? b : a)).slice(0, 40);
});

/** The double's OpenRouter bills $0.0125 a call, which has to lie within its bound. */
const CHEAP = { inputUsdPerMTok: 0, outputUsdPerMTok: 2 };
const MODELS = {
  direct: 'openai-compatible:direct',
  reader: 'openai-compatible:reader',
  claude: 'anthropic:claude-canary',
  gpt: 'openai:gpt-canary',
  gem: 'google:gemini-canary',
  router: 'openrouter:canary/model',
};
const INPUT: BenchInput = {
  goal: `Find a drug for ${GOAL}.`,
  candidates: Object.entries(MODELS).map(
    ([label, ref]) => `${label}=${ref}@${label === 'reader' ? 'pipeline' : 'direct'}`,
  ),
  judge: 'openai-compatible:judge',
  goldSet: 'aml-repurposing-paper-5',
  n: 5,
  matches: 1,
  generation: { maxTurns: 3 },
  probe: false,
  prices: Object.fromEntries(
    [...Object.values(MODELS), 'openai-compatible:judge', 'openai-compatible:locked'].map((ref) => [
      ref,
      CHEAP,
    ]),
  ),
};

const verdictKeys: string[] = [];
let llm: LlmDouble;
let web: LiteratureDouble;
let home: WorkerHome;
let db: Database;
let kept: Record<'finished' | 'failed' | 'refused', KeptTexts>;
let worker: WorkerProcess;
let output: string;
let rows: string;

beforeAll(async () => {
  llm = await startLlmDouble({ faultFor: answerModel });
  web = await startLiteratureDouble();
  web.answer('/search', {
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(searchHits()),
  });
  web.answer('/esearch.fcgi', { status: 500, body: `Cannot search: ${ERROR_BODY}` });
  home = await createWorkerHome({
    ...llm.env,
    ...KEYS,
    SEARXNG_BASE_URL: `${web.origin}/`,
    PUBMED_BASE_URL: `${web.origin}/`,
    ARXIV_BASE_URL: `${web.origin}/`,
    EUROPE_PMC_BASE_URL: `${web.origin}/`,
  });
  db = openDatabase(home.database.workerUrl);
  await plantDatabaseErrors(home.database.ownerUrl);
  worker = await home.startWorker();
  const connection = await Connection.connect({ address: home.temporal.address });
  const client = new TemporalClient({ connection, namespace: home.temporal.namespace });
  kept = {
    finished: await runBench(client, 'finished', INPUT),
    failed: await runBench(client, 'failed', {
      ...INPUT,
      candidates: (INPUT.candidates ?? []).slice(0, 2),
      judge: 'openai-compatible:locked',
      probe: true,
    }),
    refused: await runBench(client, 'refused', { ...INPUT, n: 0 }),
  };
  await worker.stop();
  output = worker.output();
  rows = JSON.stringify(await readAllRows(home.database.ownerUrl));
  await connection.close();
}, 120_000);
afterAll(async () => {
  await worker.kill();
  await db.destroy();
  await home.database.drop();
  await llm.stop();
  await web.close();
});

async function runBench(client: TemporalClient, name: string, input: BenchInput): Promise<KeptTexts> {
  const { taskQueue } = home.temporal;
  const workflowId = `${taskQueue}-${name}`;
  const handle = await client.workflow.start('bench', { taskQueue, workflowId, args: [input] });
  await handle.result().catch((error: unknown) => {
    if (name === 'finished') throw error;
  });
  return readKeptTexts(client, workflowId);
}

/**
 * The driver's errors quote the row that was to be written: once for a hypothesis, a review and a verdict each. By their
 * code (raise_exception) they may pass, and are tried again.
 */
async function plantDatabaseErrors(ownerUrl: string): Promise<void> {
  const client = new Client({ connectionString: ownerUrl });
  await client.connect();
  await client.query(`
    CREATE SEQUENCE planted;
    GRANT ALL ON SEQUENCE planted TO bench_worker, bench_grader;
    CREATE FUNCTION plant() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF to_jsonb(NEW)::text LIKE '%${ANSWER}%' AND nextval('planted') % 7 = 1 THEN
        RAISE EXCEPTION E'new row violates %\\n    at ${ANSWER} (row:1:1)', to_jsonb(NEW) USING ERRCODE = 'P0001', DETAIL = to_jsonb(NEW)::text;
      END IF;
      RETURN NEW;
    END $$;
    CREATE TRIGGER plant BEFORE INSERT OR UPDATE ON bench_hypotheses FOR EACH ROW EXECUTE FUNCTION plant();
    CREATE TRIGGER plant BEFORE INSERT OR UPDATE ON bench_reviews FOR EACH ROW EXECUTE FUNCTION plant();
    CREATE TRIGGER plant BEFORE INSERT OR UPDATE ON bench_verdicts FOR EACH ROW EXECUTE FUNCTION plant()`);
  await client.end();
}

function searchHits() {
  return {
    results: [
      { url: `https://example.org/${DOCUMENT}`, title: `On ${DOCUMENT}`, content: `It says ${DOCUMENT}.` },
    ],
  };
}

/** The compatible server's answers carry the words and go wrong in turn; the other wires answer as the double does. */
function answerModel(request: SeenRequest): RawReply | null {
  if (!request.path.startsWith('/compatible/')) return null;
  const { key, attempt } = placeOf(request);
  if (textAt(request.body, 'model') === 'locked') {
    return {
      kind: 'json',
      status: 401,
      body: { error: { message: `${ERROR_BODY}: ${request.headers.authorization}` } },
    };
  }
  if (key.startsWith('reader/')) return answerReader(request);
  const bad = badAnswer(request, key, attempt);
  if (bad) return bad;
  return recordReply(request, goodArguments(forcedTool(request), `${ANSWER} ${key}`));
}

function answerReader(request: SeenRequest): RawReply {
  const hasRead = request.text.includes('"tool_call_id"');
  const words = `${ANSWER} ${placeOf(request).key} read`;
  const citations = [{ url: `https://example.org/${DOCUMENT}`, title: DOCUMENT, excerpt: DOCUMENT }];
  const record = { ...goodArguments('record_hypothesis', words), citations };
  const names = listAt(request.body, 'tools').map((tool) => textAt(tool, 'function', 'name'));
  const wanted = [
    { tool: 'search_web', arguments: { query: QUERY } },
    { tool: 'search_pubmed', arguments: { query: QUERY } },
    { tool: 'fetch_page', arguments: { url: `http://127.0.0.1/${QUERY}` } },
    { tool: BAD_ANSWER, arguments: { query: QUERY } },
  ].filter(({ tool }) => names.includes(tool) || tool === BAD_ANSWER);
  return chatReply(request, { calls: hasRead ? [{ tool: 'record_hypothesis', arguments: record }] : wanted });
}

function badAnswer(request: SeenRequest, key: string, attempt: number): RawReply | null {
  const tool = forcedTool(request);
  const values = goodArguments(tool, BAD_ANSWER);
  const retry = { 'retry-after-ms': '20', 'x-request-id': BAD_ANSWER };
  const message = `${ERROR_BODY}: ${request.text}`;
  switch (key) {
    case 'direct/2/turn/1':
      return {
        kind: 'json',
        status: 500,
        headers: retry,
        body: { error: { message, code: ERROR_BODY, type: ERROR_BODY } },
      };
    case 'direct/3/turn/1':
      return chatReply(request, { text: BAD_ANSWER });
    case 'direct/4/turn/1':
      return chatReply(request, { calls: [{ tool, arguments: `{"title":"${BAD_ANSWER}"` }] });
    case 'direct/5/turn/1':
      return chatReply(request, { calls: [{ tool: BAD_ANSWER, arguments: values }] });
    case 'direct/1/review':
      return recordReply(request, { ...values, assessment: { [BAD_ANSWER]: BAD_ANSWER } });
    case 'reader/1/review':
      return attempt === 1 ? { kind: 'cut', text: `{"choices":["${BAD_ANSWER}` } : null;
    default:
      return tool === 'record_verdict' ? badVerdict(request, key, attempt, message) : null;
  }
}

/** The first four verdicts that are asked for go wrong, each in its way. */
function badVerdict(request: SeenRequest, key: string, attempt: number, message: string): RawReply | null {
  if (!verdictKeys.includes(key)) verdictKeys.push(key);
  const headers = { 'retry-after-ms': '20', 'x-request-id': BAD_ANSWER };
  const turn = verdictKeys.indexOf(key);
  if (turn === 0) {
    return recordReply(request, { ...goodArguments('record_verdict', BAD_ANSWER), winner: BAD_ANSWER });
  }
  if (attempt > 1) return null;
  if (turn === 1) return { kind: 'text', status: 503, headers, text: `<p>${message}</p>` };
  if (turn === 2) return { kind: 'text', headers, text: `<html>${message}</html>` };
  if (turn === 3) return { kind: 'json', headers, body: { error: { message, code: ERROR_BODY } } };
  return null;
}

const PLANTED = { GOAL, ANSWER, BAD_ANSWER, ERROR_BODY, DOCUMENT, QUERY };

test('what was planted was there: goal, answers, documents and queries stand in rows, the goal in the BenchInput', () => {
  for (const word of [GOAL, ANSWER, BAD_ANSWER, DOCUMENT, QUERY]) expect(rows).toContain(word);
  for (const { inputs } of Object.values(kept)) expect(inputs.join('\n')).toContain(GOAL);
  for (const key of Object.values(KEYS).slice(0, 5)) {
    expect(llm.journal.map(({ headers }) => JSON.stringify(headers)).join('\n')).toContain(key);
  }
  const faults = llm.journal.filter(({ status }) => status !== null && status >= 500);
  expect(faults.length).toBeGreaterThanOrEqual(5);
});

test('the bench finished over planted failures of models and database, which its workers logged', () => {
  expect(kept.finished.workflowIds.length).toBeGreaterThan(1 + 6 + 30);
  expect(kept.finished.texts.join('\n')).toContain('P0001');
  expect(output).toContain('P0001');
});

describe.each(Object.entries(PLANTED))('%s', (_, word) => {
  test.each(['finished', 'failed', 'refused'] as const)(
    'is in no history, memo or failure of a bench that %s, its BenchInput aside',
    (name) => {
      expect(kept[name].texts.filter((text) => text.includes(word))).toEqual([]);
    },
  );

  test("is in none of the worker's output", () => {
    expect(output.split('\n').filter((line) => line.includes(word))).toEqual([]);
  });
});

test('no sentence of a prompt is in any history or log', () => {
  expect(llm.journal.map(({ text }) => text).join('\n')).toContain(JSON.stringify(PROMPTS[0]).slice(1, -1));
  const all = [output, ...Object.values(kept).flatMap(({ texts }) => texts)];
  for (const sentence of PROMPTS) expect(all.filter((text) => text.includes(sentence))).toEqual([]);
});

test('no key, and no password of the database, is in any history, log or row of any table', () => {
  const { passwords, superuserPassword } = testStack().postgres;
  const all = [output, rows, ...Object.values(kept).flatMap(({ texts, inputs }) => [...texts, ...inputs])];
  for (const secret of [...Object.values(KEYS), ...Object.values(passwords), superuserPassword]) {
    expect(all.filter((text) => text.includes(secret)).map((text) => text.slice(0, 500))).toEqual([]);
  }
});
