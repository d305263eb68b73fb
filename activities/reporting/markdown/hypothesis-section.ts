import type { BenchReport } from '../../../core/report/bench-report';
import { countText, eloText } from '../../../core/report/figure-text';
import type { HypothesisReport } from '../../../core/report/hypothesis-report';
import { code, inline } from './markdown-text';

const TITLE_CHARACTERS = 300;
const STATEMENT_CHARACTERS = 1200;

/** Every slot of a bench, candidate by candidate: its statement, or why it has none. */
export function hypothesisLines({ hypotheses, session }: BenchReport): string[] {
  return hypotheses.map((hypothesis) => {
    const head = `**${inline(hypothesis.label)} ${hypothesis.k}** · ${factsOf(hypothesis).join(' · ')}`;
    const file = code(`artifacts/${session}/hypotheses/${hypothesis.publicId}.json`);
    const { title, summary } = hypothesis;
    if (title === null) return `- ${head} · ${file}`;
    const statement = `**${inline(title, TITLE_CHARACTERS) || '(no title)'}** ${inline(summary ?? '', STATEMENT_CHARACTERS)}`;
    return `- ${head} · ${file}\n\n  ${statement.trim()}`;
  });
}

function factsOf(hypothesis: HypothesisReport): string[] {
  const { state, failureKind, failureDetail, duplicateOf, isNudged, elo, wins, losses, ties } = hypothesis;
  const facts = [state.replace('_', ' ')];
  if (state === 'failed' && failureKind) facts[0] = `failed: ${inline(failureKind, 100)}`;
  if (failureDetail) facts.push(inline(failureDetail, 300));
  if (duplicateOf) facts.push(`too similar to ${inline(duplicateOf)}`);
  if (isNudged) facts.push('nudged');
  if (elo !== null) facts.push(`Elo ${eloText(elo)}`, `${wins}-${losses}-${ties}`);
  if (hypothesis.goldHits.length > 0) facts.push(`gold: ${inline(hypothesis.goldHits.join(', '))}`);
  if (hypothesis.title !== null) facts.push(countText(hypothesis.nCitations, 'citation'));
  if (hypothesis.nUnsupported > 0) facts.push(`${hypothesis.nUnsupported} more not seen by any tool`);
  return facts;
}
