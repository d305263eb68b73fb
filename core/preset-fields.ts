import type { BenchInput } from './bench-input';
import type { Catalogue } from './bench-plan';
import { knownWords, quote } from './problem-text';

/** Every field a BenchInput may have; the compiler holds this list to the type. */
const FIELDS = {
  preset: true,
  goal: true,
  candidates: true,
  judge: true,
  reviewer: true,
  n: true,
  matches: true,
  orders: true,
  verdictMode: true,
  debateTurns: true,
  judgeView: true,
  repeatShare: true,
  goldSet: true,
  goldSources: true,
  budgetPerCandidateUsd: true,
  judgeBudgetUsd: true,
  budgetUsd: true,
  onJudgeCap: true,
  prices: true,
  maxInFlight: true,
  seed: true,
  replicates: true,
  generation: true,
  thinking: true,
  literature: true,
  scipivot: true,
  allowSelfJudging: true,
  probe: true,
  session: true,
  resume: true,
  takeOver: true,
} satisfies Record<keyof BenchInput, true>;

/** What the planner goes by: the fields given, and under them the preset's. */
export interface PresetFields {
  fields: BenchInput;
  /** False when a preset was named that does not exist: then nothing it would have filled in is missing. */
  isPresetKnown: boolean;
  problems: string[];
}

/**
 * A given field beats the preset's; `candidates` replace the preset's, while `generation` and `prices` are
 * joined entry by entry. A field set to `undefined` was not given.
 */
export function withPreset(input: BenchInput, catalogue: Catalogue): PresetFields {
  const problems: string[] = [];
  const given = Object.fromEntries(
    Object.entries(input).filter(([, value]) => value !== undefined),
  ) as BenchInput;
  for (const field of Object.keys(given)) {
    if (Object.hasOwn(FIELDS, field)) continue;
    problems.push(
      `unknown field ${quote(field)} (${knownWords(field, Object.keys(FIELDS), catalogue.suggest)})`,
    );
  }
  if (given.preset === undefined) return { fields: given, isPresetKnown: true, problems };
  if (!Object.hasOwn(catalogue.presets, given.preset)) {
    const known = knownWords(given.preset, Object.keys(catalogue.presets), catalogue.suggest);
    problems.push(`preset: unknown ${quote(given.preset)} (${known})`);
    return { fields: given, isPresetKnown: false, problems };
  }
  const preset = catalogue.presets[given.preset]!.input;
  const fields = { ...preset, ...given };
  if (preset.generation && given.generation)
    fields.generation = { ...preset.generation, ...given.generation };
  if (preset.prices && given.prices) fields.prices = { ...preset.prices, ...given.prices };
  return { fields, isPresetKnown: true, problems };
}
