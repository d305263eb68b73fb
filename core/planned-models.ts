import { releaseDate } from './answer-exposure';
import type { BenchInput, CandidateInput, DeclaredPrice } from './bench-input';
import type { Catalogue, PlannedCandidate, PlannedModel } from './bench-plan';
import { formatCandidateSpec, readCandidate } from './candidate-spec';
import { formatModelRef, type ModelRef, parseModelRef } from './model-ref';
import { declaredPrice, findPrice, type ModelPrice } from './prices';
import { knownWords, quote } from './problem-text';
import { parseSimModel } from './sim-model';

/** A provider for one's own server: `compat-` and words of small letters and digits. */
export const COMPAT_PROVIDER_PATTERN = /^compat-[a-z0-9]+(-[a-z0-9]+)*$/;

const MIN_CANDIDATES = 2;
/** The ratings of more would hold a worker longer than its heartbeats allow. */
export const MAX_CANDIDATES = 60;
export const MAX_USD_PER_MTOK = 100_000;

/** The models that could be admitted, each with its price, and what is wrong with the others. */
export interface PlannedModels {
  candidates: PlannedCandidate[];
  judges: PlannedModel[];
  reviewer: PlannedModel | null;
  problems: string[];
}

export interface Admission {
  catalogue: Catalogue;
  declared: Record<string, ModelPrice>;
  problems: string[];
}

/** @param isPresetKnown false: what a preset would have named is not missed */
export function planModels(fields: BenchInput, catalogue: Catalogue, isPresetKnown: boolean): PlannedModels {
  const problems: string[] = [];
  const admission = { catalogue, problems, declared: declaredPrices(fields, catalogue, problems) };
  const candidates = planCandidates(fields.candidates ?? [], admission);
  const count = fields.candidates?.length ?? 0;
  const least = fields.scipivot !== undefined && fields.n === 0 ? 1 : MIN_CANDIDATES;
  if (count < least && isPresetKnown) {
    problems.push(`candidates: ${count} given, a bench needs at least ${least}`);
  }
  if (count > MAX_CANDIDATES)
    problems.push(`candidates: ${count} given, a bench takes at most ${MAX_CANDIDATES}`);
  const judges = planJudges(fields, admission, isPresetKnown);
  const reviewer = planReviewer(fields.reviewer, judges, admission);
  return { candidates, judges, reviewer, problems };
}

function declaredPrices(
  fields: BenchInput,
  catalogue: Catalogue,
  problems: string[],
): Record<string, ModelPrice> {
  const declared: Record<string, ModelPrice> = {};
  for (const [name, price] of Object.entries(fields.prices ?? {})) {
    const place = `prices[${quote(name)}]`;
    const ref = parseModelRef(name);
    if ('problems' in ref) problems.push(...ref.problems.map((problem) => `${place}: ${problem}`));
    else if (!isKnownProvider(ref.value.provider, catalogue)) {
      problems.push(unknownProvider(place, ref.value.provider, name, catalogue));
    }
    for (const [field, rate] of Object.entries(ratesOf(price))) {
      if (rate >= 0 && rate <= MAX_USD_PER_MTOK) continue;
      problems.push(`${place}.${field}: ${rate} is not a number from 0 to ${MAX_USD_PER_MTOK}`);
    }
    declared[name] = declaredPrice('value' in ref ? ref.value.provider : '', price);
  }
  return declared;
}

/** Those of the cache as far as they are given. */
function ratesOf(price: DeclaredPrice): Record<string, number> {
  const { inputUsdPerMTok, outputUsdPerMTok, cacheReadUsdPerMTok, cacheWriteUsdPerMTok } = price;
  return {
    ...{ inputUsdPerMTok, outputUsdPerMTok },
    ...(cacheReadUsdPerMTok === undefined ? {} : { cacheReadUsdPerMTok }),
    ...(cacheWriteUsdPerMTok === undefined ? {} : { cacheWriteUsdPerMTok }),
  };
}

function planCandidates(inputs: readonly CandidateInput[], admission: Admission): PlannedCandidate[] {
  const candidates: PlannedCandidate[] = [];
  const placeOf = new Map<string, string>();
  for (const [i, input] of inputs.entries()) {
    const place = `candidates[${i}]`;
    const { candidate, problems } = readCandidate(input);
    admission.problems.push(...problems.map((problem) => `${place}: ${problem}`));
    if (!candidate) continue;
    const taken = placeOf.get(candidate.label);
    if (taken)
      admission.problems.push(`${place}: the label ${quote(candidate.label)} is already that of ${taken}`);
    else placeOf.set(candidate.label, place);
    const text = typeof input === 'string' ? input : formatCandidateSpec(candidate);
    const model = admit(candidate, place, text, admission);
    if (!model) continue;
    const releasedOn = releaseDate(model.provider, model.model, admission.catalogue.releases);
    candidates.push({ ...model, label: candidate.label, mode: candidate.mode, releasedOn });
  }
  return candidates;
}

function planJudges(fields: BenchInput, admission: Admission, isPresetKnown: boolean): PlannedModel[] {
  const names = typeof fields.judge === 'string' ? [fields.judge] : (fields.judge ?? []);
  if (names.length === 0 && fields.matches !== 0 && isPresetKnown) {
    admission.problems.push('judge: missing (name one as provider:model, or set matches to 0)');
  }
  const judges: PlannedModel[] = [];
  for (const [i, name] of names.entries()) {
    const place = typeof fields.judge === 'string' ? 'judge' : `judge[${i}]`;
    if (names.indexOf(name) < i) admission.problems.push(`${place}: ${quote(name)} is already on the panel`);
    const judge = readModel(name, place, admission);
    if (judge) judges.push(judge);
  }
  return judges;
}

function planReviewer(
  name: string | undefined,
  judges: readonly PlannedModel[],
  admission: Admission,
): PlannedModel | null {
  if (name === 'none') return null;
  return name === undefined ? (judges[0] ?? null) : readModel(name, 'reviewer', admission);
}

/** A model as a bench may name it, with its price; null, and its problems said, where it may not take part. */
export function readModel(name: string, place: string, admission: Admission): PlannedModel | null {
  const read = parseModelRef(name);
  if ('value' in read) return admit(read.value, place, name, admission);
  admission.problems.push(...read.problems.map((problem) => `${place}: ${problem}`));
  return null;
}

/** The model with its price; null, and a problem said, where it may not take part. */
function admit(ref: ModelRef, place: string, text: string, admission: Admission): PlannedModel | null {
  const { catalogue, declared, problems } = admission;
  const { provider, model } = ref;
  if (!isKnownProvider(provider, catalogue)) {
    problems.push(unknownProvider(place, provider, text, catalogue));
    return null;
  }
  if (provider === 'sim') {
    const read = parseSimModel(model, catalogue.simModels, catalogue.suggest);
    if ('problems' in read)
      problems.push(...read.problems.map((problem) => `${place}: ${problem} in ${quote(text)}`));
  }
  const name = formatModelRef(ref);
  const price = Object.hasOwn(declared, name)
    ? declared[name]!
    : findPrice(catalogue.priceTable, provider, model);
  if (price) return { provider, model, price };
  const priced = Object.keys(catalogue.priceTable.prices).filter((known) => known.startsWith(`${provider}:`));
  const closest = catalogue.suggest(name, priced);
  const line = `${JSON.stringify(name)}: {"inputUsdPerMTok": …, "outputUsdPerMTok": …}`;
  problems.push(
    `${place}: no price for ${quote(name)} in the table of ${catalogue.priceTable.asOf} (add to prices: ${line}${closest === null ? '' : `; did you mean ${closest}?`})`,
  );
  return null;
}

function isKnownProvider(provider: string, catalogue: Catalogue): boolean {
  return catalogue.providers.includes(provider) || COMPAT_PROVIDER_PATTERN.test(provider);
}

function unknownProvider(place: string, provider: string, text: string, catalogue: Catalogue): string {
  const known = knownWords(provider, catalogue.providers, catalogue.suggest);
  return `${place}: unknown provider ${quote(provider)} in ${quote(text)} (${known})`;
}
