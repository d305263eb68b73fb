import type { CompletionRequest, ToolSpec } from '../../../activities/providers/provider';
import { simProvider } from '../../../activities/providers/sim';
import { sendOptions } from './sample-requests';

const MODELS = {
  oak: { skill: 1.2, spread: 0.6, accuracy: 1, bias: 0 },
  reed: { skill: -2, spread: 0, accuracy: 1, bias: 0 },
};
export const provider = simProvider(MODELS);

export function requestOf(
  model: string,
  tool: ToolSpec | null,
  changes: Partial<CompletionRequest> = {},
): CompletionRequest {
  return {
    model,
    system: 'Do as asked.',
    turns: [{ role: 'user', text: 'Write.' }],
    tools: tool ? [tool] : [],
    toolChoice: tool ? { kind: 'force', tool: tool.name } : { kind: 'auto' },
    maxOutputTokens: 8_192,
    thinking: 'off',
    draw: { seed: 20261004, key: 'oak/1/turn/1' },
    ...changes,
  };
}

export async function complete(request: CompletionRequest) {
  return provider.read(await provider.send(provider.build(request), sendOptions(request.model)), request);
}

export async function argumentsOf(request: CompletionRequest) {
  const completion = await complete(request);
  if (completion.kind !== 'recorded') throw new Error(`not recorded: ${JSON.stringify(completion)}`);
  return completion.arguments;
}

export const keyed = (key: string) => ({ draw: { seed: 1, key } });
export const many = <T>(count: number, make: (i: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, i) => make(i)));
