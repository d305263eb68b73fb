import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type ChatCompletionRequest, LLMock } from '@copilotkit/aimock';
import { at } from '../../activities/providers/json-path';
import type { ModelAnswer } from './model-answer';

/** How a request is to fail. `disconnect`: the model answers and bills, and the connection breaks before the answer. */
export type Fault = 'rate_limited' | 'server_error' | 'disconnect';

/** One request, and what became of it. Times are milliseconds since 1970. */
export interface JournalEntry {
  /** Header `x-co-scientist-call`: the ledger's key and attempt. */
  callId: string;
  bodySha256: string;
  arrivedAt: number;
  fault: Fault | null;
  /** When the answer, or the refusal, was handed over whole; null: never. */
  answeredAt: number | null;
  /** When the caller was gone before it had its answer; null: it was not. */
  abandonedAt: number | null;
  /** What the server bills for it, answer received or not; null: nothing. */
  billed: { inputTokens: number; outputTokens: number } | null;
}

export type ServerName = 'anthropic' | 'openai' | 'google' | 'openrouter' | 'compatible';

/** Five model servers on one port, with a journal. */
export interface JournalDouble {
  /** Keys and addresses of one of them, for a worker's environment; by the provider's name. */
  env: Record<ServerName, Record<string, string>>;
  journal: JournalEntry[];
  /** Requests that are neither answered nor abandoned. */
  open(): JournalEntry[];
  stop(): Promise<void>;
}

export interface JournalDoubleOptions {
  /** What the models say: of the request alone. */
  answer(request: ChatCompletionRequest): ModelAnswer;
  /** Called before each answer, which waits for it; it may name a fault. */
  before?(entry: JournalEntry): Promise<Fault | null>;
}

/**
 * The servers are aimock's. In front of them stands what it has not: a journal that begins when a request arrives
 * and not when it is answered, faults and waits for each request, and billing of answers that nobody received.
 */
export async function startJournalDouble(options: JournalDoubleOptions): Promise<JournalDouble> {
  const models = new LLMock({ port: 0, logLevel: 'silent', journalMaxEntries: 1 });
  models.on({}, options.answer as Parameters<LLMock['on']>[1]);
  await models.start();
  const journal: JournalEntry[] = [];
  const server = createServer((request, response) => {
    serve(models.url, journal, options, request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    env: serversAt(url),
    journal,
    open: () => journal.filter((entry) => entry.answeredAt === null && entry.abandonedAt === null),
    async stop() {
      server.close();
      server.closeAllConnections();
      await models.stop();
    },
  };
}

function serversAt(url: string): JournalDouble['env'] {
  const key = 'double';
  return {
    anthropic: { ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: url },
    openai: { OPENAI_API_KEY: key, OPENAI_BASE_URL: `${url}/v1` },
    google: { GOOGLE_API_KEY: key, GOOGLE_BASE_URL: url },
    openrouter: { OPENROUTER_API_KEY: key, OPENROUTER_BASE_URL: `${url}/api/v1` },
    compatible: { OPENAI_COMPATIBLE_API_KEY: key, OPENAI_COMPATIBLE_BASE_URL: `${url}/v1` },
  };
}

async function serve(
  modelsUrl: string,
  journal: JournalEntry[],
  options: JournalDoubleOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = await readBody(request);
  const entry: JournalEntry = {
    callId: String(request.headers['x-co-scientist-call'] ?? ''),
    bodySha256: createHash('sha256').update(body).digest('hex'),
    arrivedAt: Date.now(),
    fault: null,
    answeredAt: null,
    abandonedAt: null,
    billed: null,
  };
  journal.push(entry);
  response.on('close', () => {
    if (entry.answeredAt === null) entry.abandonedAt = Date.now();
  });
  entry.fault = (await options.before?.(entry)) ?? null;
  if (entry.fault === 'rate_limited') return refuse(entry, response, 429);
  if (entry.fault === 'server_error') return refuse(entry, response, 500);
  const answer = await fetch(`${modelsUrl}${request.url}`, {
    method: 'POST',
    headers: { ...forwarded(request), 'content-type': 'application/json' },
    body,
  });
  const text = await answer.text();
  if (answer.ok) entry.billed = readBilled(JSON.parse(text));
  if (entry.fault === 'disconnect') {
    response.destroy();
    return;
  }
  if (response.destroyed) return;
  response.writeHead(answer.status, { 'content-type': 'application/json', 'x-request-id': entry.callId });
  finish(entry, response, text);
}

function refuse(entry: JournalEntry, response: ServerResponse, status: number): void {
  response.writeHead(status, {
    'content-type': 'application/json',
    'x-request-id': entry.callId,
    'request-id': entry.callId,
    ...(status === 429 ? { 'retry-after': '1' } : {}),
  });
  finish(entry, response, JSON.stringify({ error: { type: 'double', message: 'Not now.' } }));
}

function finish(entry: JournalEntry, response: ServerResponse, text: string): void {
  if (response.destroyed) return;
  entry.answeredAt = Date.now();
  response.end(text);
}

/** The keys, which aimock asks for on some wires, and the version that Anthropic's wants. */
function forwarded({ headers }: IncomingMessage): Record<string, string> {
  const names = ['authorization', 'x-api-key', 'x-goog-api-key', 'anthropic-version'];
  return Object.fromEntries(
    names.flatMap((name) => (typeof headers[name] === 'string' ? [[name, headers[name]]] : [])),
  );
}

/** By each wire's own fields, apart from the code under test. */
function readBilled(body: unknown): JournalEntry['billed'] {
  const count = (...fields: string[]): number => {
    for (const field of fields) {
      const found = at(body, 'usage', field) ?? at(body, 'usageMetadata', field);
      if (typeof found === 'number') return found;
    }
    throw new Error(`the double's answer has none of ${fields.join(', ')}`);
  };
  return {
    inputTokens: count('prompt_tokens', 'input_tokens', 'promptTokenCount'),
    outputTokens: count('completion_tokens', 'output_tokens', 'candidatesTokenCount'),
  };
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
