/** A conflict that a reader must know of; no number is changed for it. */
export type JudgeFlag =
  /** The judge is made by the maker of a candidate's model, and judges tend to favour their kin. */
  | { kind: 'judge_of_candidates_maker'; judge: string; candidate: string; maker: string }
  /** The judge reads reviews it wrote itself. */
  | { kind: 'judge_is_reviewer'; judge: string }
  /** The judge is a candidate. */
  | { kind: 'judge_is_candidate'; judge: string; candidate: string };

export interface FlaggedBench {
  /** `provider:model` each. */
  judges: readonly string[];
  reviewer: string | null;
  candidates: readonly { label: string; model: string }[];
}

/** Every way in which a judge is not a stranger to what it judges: it reviews, it competes, its maker does. */
export function judgeFlags({ judges, reviewer, candidates }: FlaggedBench): JudgeFlag[] {
  return judges.flatMap((judge): JudgeFlag[] => [
    ...(reviewer !== null && nameOf(reviewer) === nameOf(judge)
      ? [{ kind: 'judge_is_reviewer', judge } as const]
      : []),
    ...candidates.flatMap(({ label, model }): JudgeFlag[] => {
      if (nameOf(model) === nameOf(judge)) return [{ kind: 'judge_is_candidate', judge, candidate: label }];
      const maker = makerOf(judge);
      if (maker === null || maker !== makerOf(model)) return [];
      return [{ kind: 'judge_of_candidates_maker', judge, candidate: label, maker }];
    }),
  ]);
}

/** Names by which makers go as prefixes of models or as providers. */
const MAKERS: Record<string, string> = {
  anthropic: 'anthropic',
  claude: 'anthropic',
  openai: 'openai',
  gpt: 'openai',
  chatgpt: 'openai',
  o1: 'openai',
  o3: 'openai',
  o4: 'openai',
  google: 'google',
  gemini: 'google',
  gemma: 'google',
  'meta-llama': 'meta',
  llama: 'meta',
  mistralai: 'mistral',
  mistral: 'mistral',
  mixtral: 'mistral',
  deepseek: 'deepseek',
  qwen: 'qwen',
  'x-ai': 'x-ai',
  grok: 'x-ai',
};

/** Who made a model, from its name; null when the name does not say. */
export function makerOf(providerAndModel: string): string | null {
  const colon = providerAndModel.indexOf(':');
  const provider = providerAndModel.slice(0, colon);
  const model = providerAndModel.slice(colon + 1).toLowerCase();
  if (Object.hasOwn(MAKERS, provider)) return MAKERS[provider]!;
  const slash = model.indexOf('/');
  const words = (slash > 0 ? [model.slice(0, slash), model.slice(slash + 1)] : [model])
    .flatMap((part) => [part, part.split('-')[0]!])
    .flatMap((word) => [word, word.replace(/\d.*$/, '')]);
  for (const word of words) if (Object.hasOwn(MAKERS, word)) return MAKERS[word]!;
  return slash > 0 ? model.slice(0, slash) : null;
}

/** The model's own name, without provider or maker: the same model may be had at several. */
function nameOf(providerAndModel: string): string {
  const model = providerAndModel.slice(providerAndModel.indexOf(':') + 1).toLowerCase();
  return model.slice(model.lastIndexOf('/') + 1);
}
