import type { Completion } from '../core/completion';
import type { RecordedAttempt } from '../core/report/recorded-bench';
import { type ForcedRecord, readForcedRecord } from './forced-record';
import { openProviders } from './providers';
import type { CompletionRequest, Provider, ToolSpec } from './providers/provider';
import type { Checked } from './record-schemas';

/** Reads recorded answers again, as their providers' files read them when they came; without a key and without a call. */
export class AnswerReader {
  private readonly providers = new Map<string, Provider | null>();

  /** Of a call whose one tool was forced. */
  readForced<T>(
    attempt: RecordedAttempt,
    tool: ToolSpec,
    check: (value: unknown) => Checked<T>,
  ): ForcedRecord<T> | null {
    const completion = this.read(attempt, 'force', [tool]);
    if (!completion) return null;
    return readForcedRecord({ kind: 'answered', completion, answer: { body: null, requestId: null } }, check);
  }

  /** null: no answer came, or nobody here can read this provider's. */
  read(attempt: RecordedAttempt, choice: 'force' | 'auto', tools: ToolSpec[]): Completion | null {
    const { response, state } = attempt;
    if (response === null || (state !== 'settled' && state !== 'superseded')) return null;
    const provider = this.reader(attempt.provider);
    const answer = { body: JSON.parse(response) as unknown, requestId: attempt.requestId };
    return provider?.read(answer, requestFor(attempt.model, choice, tools)) ?? null;
  }

  private reader(name: string): Provider | null {
    let provider = this.providers.get(name);
    if (provider === undefined) {
      provider = openProviders(readingEnvironment(name)).get(name) ?? null;
      this.providers.set(name, provider);
    }
    return provider;
  }
}

/** Reading is pure and needs no key, but a provider opens only where its variables are set. */
function readingEnvironment(provider: string): NodeJS.ProcessEnv {
  const prefix = provider.startsWith('compat-')
    ? `OPENAI_COMPATIBLE_${provider.slice('compat-'.length).toUpperCase().replaceAll('-', '_')}`
    : provider.toUpperCase().replaceAll('-', '_');
  return { [`${prefix}_API_KEY`]: 'none', [`${prefix}_BASE_URL`]: 'http://127.0.0.1:9' };
}

function requestFor(model: string, choice: 'force' | 'auto', tools: ToolSpec[]): CompletionRequest {
  const [first] = tools;
  return {
    model,
    system: '',
    turns: [],
    tools,
    toolChoice: choice === 'force' && first ? { kind: 'force', tool: first.name } : { kind: 'auto' },
    maxOutputTokens: 1,
    thinking: 'off',
    draw: { seed: 0, key: '' },
  };
}
