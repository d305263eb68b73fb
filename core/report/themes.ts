import { compareText } from '../compare-text';
import { findGoldHits, type GoldSet, isNamedIn } from '../gold-set';
import type { HypothesisRecord } from '../hypothesis';
import { tokenise } from '../tokens';

/** Recurring ideas of a field, as data: what each is called and the words by which it is known. */
export interface ThemeSet {
  name: string;
  version: number;
  /** Names of the field: the set applies to goals that name one. */
  appliesTo: string[];
  themes: { name: string; patterns: string[] }[];
}

/** A hypothesis as far as agreement between models goes. */
export interface ThemedHypothesis {
  /** `provider:model` */
  model: string;
  record: HypothesisRecord;
}

export interface ThemeCount {
  theme: string;
  hypotheses: number;
  /** Different models among those. */
  models: number;
}

export interface EntityCount {
  /** As most hypotheses write it. */
  entity: string;
  hypotheses: number;
  models: number;
}

export interface Consistency {
  hypotheses: number;
  models: number;
  /** null: no set of themes is known for this goal. */
  themes: { set: string; version: number; counts: ThemeCount[] } | null;
  /** Entities that more than one hypothesis lists, most first. */
  entities: EntityCount[];
}

/** Whether a goal names what the set of themes is about, by the rules of gold sets. */
export function doesApply({ appliesTo }: ThemeSet, goal: string): boolean {
  return appliesTo.some((name) => isNamedIn({ name, aliases: [] }, goal));
}

/** @param themes null where no set applies */
export function consistencyOf(hypotheses: readonly ThemedHypothesis[], themes: ThemeSet | null): Consistency {
  return {
    hypotheses: hypotheses.length,
    models: countModels(hypotheses),
    themes: themes && { set: themes.name, version: themes.version, counts: countThemes(hypotheses, themes) },
    entities: countEntities(hypotheses),
  };
}

/** By the matcher of gold sets. Most hypotheses first, then in the set's order. */
function countThemes(
  hypotheses: readonly ThemedHypothesis[],
  { name: set, version, themes }: ThemeSet,
): ThemeCount[] {
  const searched: GoldSet = {
    name: set,
    version,
    source: { title: set, publisher: '', id: '', url: '' },
    publishedOn: '',
    criteria: [],
    entities: themes.map(({ name, patterns }) => ({ name, aliases: patterns })),
  };
  const found = hypotheses.map(({ record }) => namedIn(searched, record));
  return themes
    .map(({ name }) => {
      const holders = hypotheses.filter((_, i) => found[i]!.has(name));
      return { theme: name, hypotheses: holders.length, models: countModels(holders) };
    })
    .sort((one, other) => other.hypotheses - one.hypotheses);
}

/** In what the hypothesis says itself, mechanism included; what it cites is said by others. */
function namedIn(set: GoldSet, record: HypothesisRecord): Set<string> {
  const own = { ...record, citations: [], entities: [...record.entities, record.mechanism] };
  return new Set(findGoldHits(set, own).map(({ entity }) => entity));
}

/** Spellings that a search cannot tell apart are one entity. Most hypotheses first, then by name. */
function countEntities(hypotheses: readonly ThemedHypothesis[]): EntityCount[] {
  const byTokens = new Map<string, { spellings: Map<string, number>; holders: ThemedHypothesis[] }>();
  for (const hypothesis of hypotheses) {
    // Of several spellings in one hypothesis its first counts.
    const own = new Map(hypothesis.record.entities.toReversed().map((entity) => [tokensOf(entity), entity]));
    for (const [tokens, entity] of own) {
      if (tokens === '') continue;
      const known = byTokens.get(tokens) ?? { spellings: new Map<string, number>(), holders: [] };
      byTokens.set(tokens, known);
      known.spellings.set(entity, (known.spellings.get(entity) ?? 0) + 1);
      known.holders.push(hypothesis);
    }
  }
  return [...byTokens.values()]
    .filter(({ holders }) => holders.length > 1)
    .map(({ spellings, holders }) => ({
      entity: mostUsed(spellings),
      hypotheses: holders.length,
      models: countModels(holders),
    }))
    .sort((one, other) => other.hypotheses - one.hypotheses || compareText(one.entity, other.entity));
}

function tokensOf(text: string): string {
  return tokenise(text)
    .map((token) => token.text)
    .join(' ');
}

function mostUsed(spellings: ReadonlyMap<string, number>): string {
  const [first] = [...spellings].sort(([one, many], [other, more]) => more - many || compareText(one, other));
  return first![0];
}

function countModels(hypotheses: readonly ThemedHypothesis[]): number {
  return new Set(hypotheses.map(({ model }) => model)).size;
}
