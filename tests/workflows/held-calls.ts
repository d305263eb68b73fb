import { createHash } from 'node:crypto';
import { ulid } from 'ulid';
import type { BenchInput } from '../../core/bench-input';
import { type RawReply, type SeenRequest, startRawDouble } from '../doubles/raw-llm-double';
import { forcedTool, goodArguments, placeOf, recordReply, rubricArguments } from './double-answers';

const PRICE = { inputUsdPerMTok: 1, outputUsdPerMTok: 5 };

/** Two candidates and a judge on the holding double. */
export const HELD_INPUT: BenchInput = {
  goal: 'Find a drug for a disease that has none.',
  candidates: ['one=openai-compatible:one@direct', 'two=openai-compatible:two@direct'],
  judge: 'openai-compatible:judge',
  reviewer: 'none',
  goldSet: 'aml-repurposing-paper-5',
  n: 2,
  matches: 8,
  maxInFlight: 2,
  probe: false,
  prices: Object.fromEntries(['one', 'two', 'judge'].map((model) => [`openai-compatible:${model}`, PRICE])),
};

/** A model server that keeps back the answers it is told to: what is in flight stays so until it is let go. */
export interface HoldingDouble {
  env: Record<string, string>;
  requests: SeenRequest[];
  /** Keeps back the answers to a bench's calls whose key, without the bench's id, matches. */
  hold(benchId: string, key: RegExp): void;
  /**
   * Answers what was kept back of a bench, and holds nothing of it any more.
   * @param reply to all that was kept back; left out: what each would have been answered
   */
  letGo(benchId: string, reply?: RawReply): void;
  stop(): Promise<void>;
}

export async function startHoldingDouble(): Promise<HoldingDouble> {
  const held = new Map<
    string,
    { key: RegExp; letGo: (reply?: RawReply) => void; isFree: Promise<RawReply | undefined> }
  >();
  const raw = await startRawDouble(async (request) => {
    const benchId = request.callId?.split('/')[0] ?? '';
    const hold = held.get(benchId);
    const reply = hold?.key.test(placeOf(request).key) ? await hold.isFree : undefined;
    return reply ?? answerByKey(request);
  });
  return {
    env: {
      OPENAI_COMPATIBLE_API_KEY: 'key-of-the-holding-double',
      OPENAI_COMPATIBLE_BASE_URL: `${raw.url}/compatible/v1`,
    },
    requests: raw.requests,
    hold: (benchId, key) => {
      let letGo = (_?: RawReply): void => {};
      const isFree = new Promise<RawReply | undefined>((resolve) => {
        letGo = resolve;
      });
      held.set(benchId, { key, letGo, isFree });
    },
    letGo: (benchId, reply) => {
      held.get(benchId)?.letGo(reply);
      held.delete(benchId);
    },
    stop: raw.stop,
  };
}

/** An id for a bench before it starts: it takes it from the workflow id `bench-<id>`. */
export function newBenchId(): string {
  return `bnc_${ulid()}`;
}

/** The same call of any bench always has the same answer: texts, winners and marks follow from its key. */
function answerByKey(request: SeenRequest): RawReply {
  const digest = createHash('sha256').update(placeOf(request).key).digest('hex');
  const words = digest.slice(0, 40).replace(/(....)/g, '$1 ');
  if (forcedTool(request) === 'record_rubric_score') {
    const markOf = ({ length }: string) => 1 + ((Number.parseInt(digest.slice(0, 8), 16) % (length + 7)) % 5);
    return recordReply(request, rubricArguments(request, markOf, words));
  }
  const winner = ['first', 'first', 'second', 'tie'][Number.parseInt(digest.slice(0, 2), 16) % 4];
  const values = goodArguments(forcedTool(request), words);
  return recordReply(request, 'winner' in values ? { ...values, winner } : values);
}
