import type { HypothesisRecord } from './hypothesis';
import { type Token, tokenise } from './tokens';

/** An answer key: entities that a good answer might name. Candidates and judges never see it. */
export interface GoldSet {
  name: string;
  version: number;
  source: { title: string; publisher: string; id: string; url: string };
  /** `YYYY-MM-DD`: the answers are public since then, so a later model may have read them. */
  publishedOn: string;
  /** By what the entities were selected. */
  criteria: string[];
  entities: GoldEntity[];
}

export interface GoldEntity {
  name: string;
  /** Other names that count as well; a class of drugs never does. */
  aliases: string[];
}

/** An entity found in one field: its first appearance there. */
export interface GoldHit {
  /** The entity's name in the gold set. */
  entity: string;
  /** The name or alias that was found. */
  alias: string;
  /** `title`, `summary`, `full_text`, `entities[i]`, `citations[i].title` or `citations[i].excerpt`. */
  field: string;
  /** About 80 characters of the text as it stands, the hit in their middle. */
  excerpt: string;
  /** In the title or among the entities it is what the hypothesis proposes; elsewhere it is mentioned. */
  kind: 'proposed' | 'mentioned';
}

/**
 * The gold set's entities that a hypothesis names. A name hits where its tokens stand in a row inside one
 * field, or one element of a list: never across two. Tokens are whole and folded (`tokenise`), so "KIRA6"
 * hits in "kira6's" and not in "KIRA60". Mechanism and falsification are not searched.
 */
export function findGoldHits(set: GoldSet, hypothesis: HypothesisRecord): GoldHit[] {
  const names = set.entities.map((entity) => ({ entity, names: tokenisedNames(entity) }));
  return searchedFields(hypothesis).flatMap(({ field, text, kind }) => {
    const tokens = tokenise(text);
    return names.flatMap(({ entity, names }) => {
      const found = firstName(tokens, names);
      if (!found) return [];
      return [{ entity: entity.name, alias: found.alias, field, excerpt: excerptAround(text, found), kind }];
    });
  });
}

/** Whether a text names the entity, by the rules of `findGoldHits`. */
export function isNamedIn(entity: GoldEntity, text: string): boolean {
  return firstName(tokenise(text), tokenisedNames(entity)) !== null;
}

/** What a candidate's hypotheses came to against a gold set: its recall is `named` over the set's entities. */
export interface GoldRecall {
  /** Entities that any of the hypotheses names, in the set's order; `proposed` are those proposed by one. */
  named: string[];
  proposed: string[];
  /** Of each hypothesis, how many entities of the set it names. */
  namedByHypothesis: number[];
}

export function goldRecall(set: GoldSet, hypotheses: readonly HypothesisRecord[]): GoldRecall {
  const hits = hypotheses.map((hypothesis) => findGoldHits(set, hypothesis));
  const all = hits.flat();
  const among = (found: readonly GoldHit[]) =>
    set.entities.map((entity) => entity.name).filter((name) => found.some((hit) => hit.entity === name));
  return {
    named: among(all),
    proposed: among(all.filter((hit) => hit.kind === 'proposed')),
    namedByHypothesis: hits.map((found) => among(found).length),
  };
}

interface SearchedField extends Pick<GoldHit, 'field' | 'kind'> {
  text: string;
}

function searchedFields({
  title,
  summary,
  fullText,
  entities,
  citations,
}: HypothesisRecord): SearchedField[] {
  return [
    { field: 'title', text: title, kind: 'proposed' },
    { field: 'summary', text: summary, kind: 'mentioned' },
    { field: 'full_text', text: fullText, kind: 'mentioned' },
    ...entities.map((text, i): SearchedField => ({ field: `entities[${i}]`, text, kind: 'proposed' })),
    ...citations.flatMap((citation, i): SearchedField[] => [
      { field: `citations[${i}].title`, text: citation.title, kind: 'mentioned' },
      { field: `citations[${i}].excerpt`, text: citation.excerpt, kind: 'mentioned' },
    ]),
  ];
}

interface TokenisedName {
  alias: string;
  tokens: string[];
}

/** Longer names first, so that of two that begin at one place the fuller is reported. */
function tokenisedNames({ name, aliases }: GoldEntity): TokenisedName[] {
  return [name, ...aliases]
    .map((alias) => ({ alias, tokens: tokenise(alias).map((token) => token.text) }))
    .filter(({ tokens }) => tokens.length > 0)
    .sort((one, other) => other.tokens.length - one.tokens.length);
}

interface Found {
  alias: string;
  start: number;
  end: number;
}

function firstName(tokens: readonly Token[], names: readonly TokenisedName[]): Found | null {
  for (const [i, token] of tokens.entries()) {
    const name = names.find((candidate) => candidate.tokens.every((text, j) => tokens[i + j]?.text === text));
    if (name) return { alias: name.alias, start: token.start, end: tokens[i + name.tokens.length - 1]!.end };
  }
  return null;
}

const EXCERPT_CHARACTERS = 80;

/** Cut from the text as it stands, at no place inside a surrogate pair. */
function excerptAround(text: string, { start, end }: Found): string {
  const margin = Math.max(0, Math.ceil((EXCERPT_CHARACTERS - (end - start)) / 2));
  const from = Math.max(0, start - margin);
  const to = Math.min(text.length, end + margin);
  return text.slice(isInsidePair(text, from) ? from + 1 : from, isInsidePair(text, to) ? to - 1 : to);
}

function isInsidePair(text: string, offset: number): boolean {
  const isHigh = /[\uD800-\uDBFF]/.test(text.charAt(offset - 1));
  return isHigh && /[\uDC00-\uDFFF]/.test(text.charAt(offset));
}
