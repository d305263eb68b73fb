import type { BenchPlan } from '../core/bench-plan';
import { findGoldSet } from '../presets';
import { articleOf } from './literature/normalise-url';
import type { WithheldPaper } from './literature/source';

/** The papers a bench's answer key was taken from, to be held back from its candidates unless it allows them. */
export function findWithheldPapers({ goldSet, goldSources }: BenchPlan): WithheldPaper[] {
  if (goldSet === null || goldSources === 'allow') return [];
  const { source } = findGoldSet(goldSet);
  const article = articleOf(source.id) ?? articleOf(source.url);
  const idOf = (kind: 'doi' | 'arxiv' | 'pmid'): string | null =>
    article?.kind === kind ? article.id : null;
  return [{ doi: idOf('doi'), arxivId: idOf('arxiv'), pmid: idOf('pmid'), titles: [source.title] }];
}
