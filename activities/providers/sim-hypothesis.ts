import type { HypothesisRecord } from '../../core/hypothesis';
import type { Random } from '../../core/random';
import { drawTopic, inOrder, pick, sentences } from './sim-prose';

/** How a hypothesis of a sim model says what it is and how strong: what a sim judge reads, as any judge might. */
export function strengthMark(strength: number): string {
  const shown = strength.toFixed(3);
  return `(simulated, strength ${Number(shown) === 0 ? '0.000' : shown})`;
}

/** The strength a text shows, in logits; null when it shows none. */
export function readStrength(text: string): number | null {
  const shown = /\(simulated, strength (-?\d+\.\d{3})\)/.exec(text)?.[1];
  return shown === undefined ? null : Number(shown);
}

/**
 * A hypothesis that reads like one and means nothing.
 *
 * @param strength in logits; shown in the summary with three decimals
 * @param urls what the conversation's tools have returned: the only citations there are
 */
export function simHypothesis(random: Random, strength: number, urls: string[]): HypothesisRecord {
  const topic = drawTopic(random);
  const [title] = sentences(random, topic, 'titles', 1);
  const [opening] = sentences(random, topic, 'openings', 1);
  const claims = sentences(random, topic, 'claims', 2);
  const [gap] = sentences(random, topic, 'gaps', 1);
  const [test] = sentences(random, topic, 'tests', 1);
  const reasons = sentences(random, topic, 'arguments', random.integers(3, 7));
  const other = drawTopic(random);
  const contrast = pick(random, [
    `${other.compound} was weighed as well and set aside.`,
    `A link to ${other.process} cannot be ruled out.`,
    `Whether ${other.cell} answer alike is open.`,
  ]);
  return {
    title: title!,
    summary: `${opening} ${claims[0]} ${strengthMark(strength)}`,
    fullText: [`${gap} ${claims[1]}`, reasons.join(' '), `${contrast} ${test}`].join('\n\n'),
    mechanism: inOrder(random, topic, 'steps', random.integers(3, 6)).join(' '),
    entities: [topic.compound, topic.target, topic.process],
    citations: random
      .shuffle(urls)
      .slice(0, 3)
      .map((url) => ({
        url,
        title: `Source read for this hypothesis (simulated)`,
        excerpt: `Nothing is quoted: a simulated model does not read.`,
      })),
    falsification: sentences(random, topic, 'tests', 1)[0]!,
  };
}
