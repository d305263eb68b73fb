import { z } from 'zod';
import { isAnotherModel } from '../core/another-model';
import type { BenchPlan, PlannedModel } from '../core/bench-plan';
import { calledModels } from '../core/called-models';
import type { CallFailure, Completion } from '../core/completion';
import { benchScope, probeKey } from '../core/ids';
import { formatModelRef } from '../core/model-ref';
import { isScipivotAlone } from '../core/planned-settings';
import { computeCostUsd } from '../core/prices';
import { quote } from '../core/problem-text';
import { readOwnedBench } from '../db/benches';
import { findPrompt } from '../presets';
import { renderPrompt } from '../presets/prompt';
import type { ActivityDeps, BenchRef } from './activity-deps';
import { readForcedRecord } from './forced-record';
import { paidCall } from './paid-call';
import type { CompletionRequest, ToolSpec } from './providers/provider';

export interface CheckProviderInput extends BenchRef {
  provider: string;
}

/** A probe costs a cent at most, and needs no more tokens than this. */
const PROBE_CAP_USD = 0.01;
const PROBE_TOKENS = 1024;

const RECORD_PROBE: ToolSpec = {
  name: 'record_probe',
  description: 'Say that you can call tools.',
  inputSchema: {
    type: 'object',
    properties: { ready: { type: 'string', enum: ['yes'] } },
    required: ['ready'],
  },
};

/**
 * Asks each of a provider's models for one forced call, through the ledger: key, model id, tool calling and the count of
 * tokens are known before the bench is paid for. Runs only where the provider's key is.
 * @returns what is wrong, a line a model; empty: all is well
 */
export function createCheckProvider(deps: ActivityDeps) {
  return async function checkProvider(input: CheckProviderInput): Promise<string[]> {
    const { plan } = await readOwnedBench(deps.db, input);
    if (!plan.probe) return [];
    const models = calledModels(plan).filter(({ provider }) => provider === input.provider);
    const byRef = new Map(models.map((model) => [formatModelRef(model), model]));
    const problems = await Promise.all(
      [...byRef].map(([ref, model]) => probe(deps, input, ref, model, plan)),
    );
    return problems.flat();
  };
}

async function probe(
  deps: ActivityDeps,
  input: CheckProviderInput,
  ref: string,
  model: PlannedModel,
  plan: BenchPlan,
): Promise<string[]> {
  const key = probeKey(input.benchId, ref);
  const needsTools = !isScipivotAlone(plan);
  const answer = await paidCall(deps, {
    ...input,
    key,
    kind: 'probe',
    model,
    scopeIds: [benchScope(input.benchId)],
    request: buildRequest(model, needsTools, { seed: plan.seed, key: key.slice(input.benchId.length + 1) }),
  });
  if (needsTools || answer.kind === 'unanswered') {
    const forced = readForcedRecord(answer, checkProbe);
    // Cut by a cap this low, the call was begun: the model is there and knows tools.
    if (forced.state !== 'valid' && forced.reason !== 'truncated')
      return [
        `${ref}: probe ended as ${forced.reason}${inBrackets(forced.detail || MEANINGS[forced.reason])}`,
      ];
  }
  if (answer.kind === 'unanswered') return [];
  const { completion } = answer;
  return [
    ...(isItself(model, completion)
      ? []
      : [
          `${ref}: the probe was answered by ${quote(completion.reportedModel ?? '')}, another model (name that one, or --no-probe begins all the same)`,
        ]),
    ...(isCostKnown(model, completion) ? [] : [`${ref}: ${NO_USAGE}`]),
  ];
}

/** Of those that somebody can do something about; a provider's own words are not repeated, they may hold anything. */
const MEANINGS: Record<string, string | undefined> = {
  bad_request: 'is there a model of this name, and does it take tools?',
  unauthorized: 'the key is wrong, or may not use this model from here',
  payment_required: 'no credit, a spend limit, or a quota that is used up',
} satisfies Partial<Record<CallFailure, string>>;

function inBrackets(text: string | undefined): string {
  return text ? ` (${text})` : '';
}

/** Of their makers' own names alone: a compatible server may call its model what it likes. */
function isItself({ provider, model }: PlannedModel, { reportedModel }: Completion): boolean {
  if (reportedModel === null || !NAME_THEIR_MODELS.includes(provider)) return true;
  return !isAnotherModel(model, reportedModel);
}

const NAME_THEIR_MODELS = ['anthropic', 'google', 'openai', 'openrouter'];

/** What costs nothing needs no count. */
function isCostKnown({ price }: PlannedModel, { usage }: Completion): boolean {
  const isFree = price.inputUsdPerMTok === 0 && price.outputUsdPerMTok === 0;
  return isFree || (usage.reportedCostUsd ?? computeCostUsd(price, usage)) !== null;
}

const NO_USAGE =
  'probe was answered without a count of tokens: no call’s cost would be known, and each would be held at the most it can be (--no-probe begins all the same)';

function buildRequest(
  model: PlannedModel,
  needsTools: boolean,
  draw: CompletionRequest['draw'],
): CompletionRequest {
  const prompt = renderPrompt(findPrompt('probe'), {});
  const { outputUsdPerMTok } = model.price;
  const affordable =
    outputUsdPerMTok > 0 ? Math.floor((PROBE_CAP_USD * 1e6) / outputUsdPerMTok) : PROBE_TOKENS;
  return {
    model: model.model,
    system: prompt.system,
    turns: [{ role: 'user', text: prompt.user }],
    tools: needsTools ? [RECORD_PROBE] : [],
    toolChoice: needsTools ? { kind: 'force', tool: RECORD_PROBE.name } : { kind: 'auto' },
    maxOutputTokens: Math.max(16, Math.min(PROBE_TOKENS, Math.floor(affordable * 0.8))),
    thinking: 'off',
    draw,
  };
}

function checkProbe(value: unknown): { record: { ready: string } } | { problems: string[] } {
  const result = z.object({ ready: z.literal('yes') }).safeParse(value);
  return result.success ? { record: result.data } : { problems: ['ready: expected "yes"'] };
}
