import type { PlannedCandidate } from './bench-plan';

const DATE_AT_END = /-(20\d{2})-?(\d{2})-?(\d{2})$/;

/**
 * When a model could first be called, `YYYY-MM-DD`; null: not known. A router's `maker/model` is looked up as its
 * maker's own.
 * @param releases by `provider:model`
 */
export function releaseDate(
  provider: string,
  model: string,
  releases: Readonly<Record<string, string>>,
): string | null {
  const dated = DATE_AT_END.exec(model);
  if (dated) return `${dated[1]}-${dated[2]}-${dated[3]}`;
  const [maker, name] = model.split('/');
  const keys = [
    `${provider}:${model}`,
    ...(name ? [`${maker}:${name}`, `${maker}:${name.replaceAll('.', '-')}`] : []),
  ];
  const known = keys.find((key) => Object.hasOwn(releases, key));
  return known === undefined ? null : releases[known]!;
}

export interface AnswerExposure {
  /** Released on that day or later: they may have read the answers. */
  after: PlannedCandidate[];
  /** Nobody here knows since when they can be called: they may have, too. */
  unknown: PlannedCandidate[];
  /** Released before the answers were public. */
  before: PlannedCandidate[];
}

/**
 * Which candidates may have read a gold set's answers. Simulated ones read nothing and are in no list.
 * @param publishedOn since when the answers are public, `YYYY-MM-DD`
 */
export function answerExposure(candidates: readonly PlannedCandidate[], publishedOn: string): AnswerExposure {
  const real = candidates.filter(({ provider }) => provider !== 'sim');
  const dated = real.filter(({ releasedOn }) => releasedOn);
  return {
    after: dated.filter(({ releasedOn }) => releasedOn! >= publishedOn),
    unknown: real.filter(({ releasedOn }) => !releasedOn),
    before: dated.filter(({ releasedOn }) => releasedOn! < publishedOn),
  };
}

/** The same in words, a part a list that has anybody; empty when all are simulated. */
export function exposureParts(candidates: readonly PlannedCandidate[], publishedOn: string): string[] {
  const { after, unknown, before } = answerExposure(candidates, publishedOn);
  const dated = (list: PlannedCandidate[]) =>
    list.map(({ label, releasedOn }) => `${label} (${releasedOn})`).join(', ');
  return [
    ...(after.length > 0 ? [`may have read the answers, released later: ${dated(after)}`] : []),
    ...(unknown.length > 0
      ? [`may have read the answers, release date not known: ${unknown.map(({ label }) => label).join(', ')}`]
      : []),
    ...(before.length > 0 ? [`released before the answers were public: ${dated(before)}`] : []),
  ];
}
