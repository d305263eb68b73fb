import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { listAt, textAt } from '../../activities/providers/json-path';
import { simHypothesis } from '../../activities/providers/sim-hypothesis';
import { randomFrom } from '../../core/random';

/** A model server that costs next to nothing itself. */
export interface FastDouble {
  /** For a worker's environment: it is `openai-compatible`. */
  env: Record<string, string>;
  requests(): number;
  setLatencyMs(latencyMs: number): void;
  stop(): Promise<void>;
}

/**
 * Answers every forced call after the latency; verdicts and reviews are all the same.
 * @param ideas whether no two hypotheses are alike, or all of them are
 */
export async function startFastDouble(ideas: 'different' | 'same' = 'different'): Promise<FastDouble> {
  let latencyMs = 0;
  let requests = 0;
  const server = createServer((request, response) => {
    const answer = async (): Promise<void> => {
      const asked = await readJson(request);
      requests += 1;
      const text = JSON.stringify(chatAnswer(asked, ideas === 'same' ? 1 : requests));
      await sleep(latencyMs);
      response.writeHead(200, { 'content-type': 'application/json' }).end(text);
    };
    answer().catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  return {
    env: { OPENAI_COMPATIBLE_API_KEY: 'double', OPENAI_COMPATIBLE_BASE_URL: url },
    requests: () => requests,
    setLatencyMs(ms) {
      latencyMs = ms;
    },
    async stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function chatAnswer(asked: unknown, number: number): unknown {
  const tool = textAt(listAt(asked, 'tools')[0], 'function', 'name') ?? '';
  const call = { name: tool, arguments: JSON.stringify(argumentsOf(tool, number)) };
  return {
    id: `chatcmpl-${number}`,
    object: 'chat.completion',
    model: textAt(asked, 'model'),
    choices: [
      {
        index: 0,
        finish_reason: 'tool_calls',
        message: {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'call_0', type: 'function', function: call }],
        },
      },
    ],
    usage: { prompt_tokens: 1_000, completion_tokens: 500, total_tokens: 1_500 },
  };
}

function argumentsOf(tool: string, number: number): Record<string, unknown> {
  if (tool === 'record_hypothesis') {
    const { fullText, ...record } = simHypothesis(randomFrom(number, 'idea'), 0, []);
    return { ...record, full_text: fullText };
  }
  if (tool === 'record_review') {
    return {
      strengths: ['It is clear.'],
      weaknesses: ['It is untested.'],
      assessment: 'Plausible, not new.',
    };
  }
  const criteria = ['novelty', 'plausibility', 'testability', 'relevance'];
  return {
    rationale: 'The first names its mechanism more exactly than the second.',
    scores: criteria.map((criterion) => ({ criterion, first: 4, second: 3 })),
    winner: 'first',
  };
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString('utf8'));
}
