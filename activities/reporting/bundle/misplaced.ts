import { argumentTurns } from '../../../core/debate';
import {
  benchOf,
  benchScope,
  candidateId,
  candidateScope,
  hypothesisId,
  judgeScope,
  matchId,
  reviewKey,
  rubricKey,
  rubricScope,
  verdictKey,
} from '../../../core/ids';
import type {
  RecordedAttempt,
  RecordedBench,
  RecordedMatch,
  RecordedVerdict,
} from '../../../core/report/recorded-bench';

type Bench = Omit<RecordedBench, 'calls'>;

/**
 * What has not the place of its own in a bench. Ids say where everything belongs: with one of another bench an import
 * would charge that bench's budgets, or hand it an answer that nobody paid for; with one place named twice a verdict would
 * be held against another's answer.
 */
export function misplacedParts(bench: Bench): string[] {
  const { run, candidates, hypotheses, matches, goldHits, rescores, budgets } = bench;
  const { benchId } = run;
  const slots = new Set(hypotheses.map(({ id }) => id));
  const owners = new Set(candidates.map(({ id }) => id));
  const scopes = scopesOf(bench);
  return [
    ...candidates.flatMap(({ id, label }) => differing('candidate', id, candidateId(benchId, label))),
    ...twice(
      'candidate',
      candidates.map(({ id }) => id),
    ),
    ...twice(
      'position of a candidate',
      candidates.map(({ position }) => String(position)),
    ),
    ...hypotheses.flatMap((slot) => misplacedSlot(slot, owners, slots)),
    ...twice(
      'hypothesis',
      hypotheses.map(({ id }) => id),
    ),
    ...matches.flatMap((match) => misplacedMatch(match, bench, { owners, slots })),
    ...twice(
      'match',
      matches.map(({ id }) => id),
    ),
    ...[...goldHits, ...rescores.flatMap(({ hits }) => hits)]
      .filter(({ hypothesisId: id }) => !slots.has(id))
      .map(({ hypothesisId: id }) => `gold hit: ${id} is no hypothesis of the bench`),
    ...twice(
      'gold hit',
      goldHits.map((hit) => JSON.stringify([hit.hypothesisId, hit.goldSet, hit.entity, hit.field])),
    ),
    ...budgets.filter(({ id }) => !scopes.has(id)).map(({ id }) => `budget ${id}: is none of the bench’s`),
    ...twice(
      'budget',
      budgets.map(({ id }) => id),
    ),
    ...(bench.scipivot?.sessions ?? [])
      .filter(({ callKey }) => benchOf(callKey) !== benchId)
      .map(({ callKey }) => `SciΠvot session: ${callKey} is a call of another bench`),
    ...misplacedScores(bench),
  ];
}

/**
 * @param attempts of one key
 * @param scopes as `scopesOf` has them
 */
export function misplacedCalls(
  benchId: string,
  attempts: readonly RecordedAttempt[],
  scopes: ReadonlySet<string>,
): string[] {
  return [
    ...attempts.flatMap(({ key, scopeIds }) => [
      ...(benchOf(key) === benchId ? [] : [`${key}: is a call of another bench`]),
      ...scopeIds
        .filter((id) => !scopes.has(id))
        .map((id) => `${key}: is charged to ${id}, none of the bench’s budgets`),
    ]),
    ...twice(
      'attempt',
      attempts.map(({ key, attempt }) => `${key}#${attempt}`),
    ),
  ];
}

/** Budgets that a bench's calls may be charged to. */
export function scopesOf({ run: { benchId }, candidates }: Pick<Bench, 'run' | 'candidates'>): Set<string> {
  const ofCandidates = candidates.map(({ id }) => candidateScope(id));
  return new Set([benchScope(benchId), judgeScope(benchId), rubricScope(benchId), ...ofCandidates]);
}

function misplacedSlot(
  { id, candidateId: owner, k, duplicateOf, review }: Bench['hypotheses'][number],
  owners: ReadonlySet<string>,
  slots: ReadonlySet<string>,
): string[] {
  return [
    ...(owners.has(owner) ? [] : [`hypothesis ${id}: ${owner} is no candidate of the bench`]),
    ...differing('hypothesis', id, hypothesisId(owner, k)),
    ...(duplicateOf === null || slots.has(duplicateOf)
      ? []
      : [`hypothesis ${id}: a duplicate of ${duplicateOf}, which is none of the bench`]),
    ...(review === null ? [] : differing(`call of the review of ${id}`, review.callKey, reviewKey(id))),
  ];
}

/** A night's opponents are texts of another bench. */
function misplacedMatch(
  match: RecordedMatch,
  { run }: Bench,
  { owners, slots }: { owners: ReadonlySet<string>; slots: ReadonlySet<string> },
): string[] {
  const { id, index, candA, candB, hypA, hypB, verdicts } = match;
  const sides = [
    [candA, hypA],
    [candB, hypB],
  ] as const;
  const isSide = (candidate: string, slot: string) =>
    /^\d+$/.test(slot.slice(candidate.length + 1)) &&
    slot.startsWith(`${candidate}/`) &&
    (owners.has(candidate) ? slots.has(slot) : benchOf(candidate) !== run.benchId);
  return [
    ...differing('match', id, matchId(run.benchId, index)),
    ...sides
      .filter(([candidate, slot]) => !isSide(candidate, slot))
      .map(([candidate, slot]) => `match ${id}: ${slot} is no hypothesis of ${candidate}`),
    ...verdicts.flatMap((verdict) => misplacedVerdict(id, verdict, argumentTurns(run.plan) + 1)),
    ...twice(
      'verdict',
      verdicts.map(({ order, judge, repeat }) => `${id} ${order} ${judge} ${repeat}`),
    ),
  ];
}

/** A debate that broke off has its verdict's key at the turn that it broke off at. */
function misplacedVerdict(
  id: string,
  { order, judge, repeat, callKey }: RecordedVerdict,
  turns: number,
): string[] {
  const keys = Array.from({ length: turns }, (_, i) => verdictKey(id, order, judge, i + 1, repeat));
  return keys.includes(callKey) ? [] : [`verdict ${id} ${order} ${judge}: ${callKey} is not its call`];
}

/** Of one piece of work by one judge there is one score, by the call of that name. */
function misplacedScores({ run: { benchId }, rubric }: Bench): string[] {
  if (rubric === null) return [];
  return [
    ...differing('budget of rubric scores', rubric.budget.id, rubricScope(benchId)),
    ...rubric.scores.flatMap((score) =>
      differing('call of a rubric score', score.callKey, rubricKey(benchId, score)),
    ),
    ...twice(
      'rubric score',
      rubric.scores.map(({ callKey }) => callKey),
    ),
  ];
}

function differing(what: string, id: string, expected: string): string[] {
  return id === expected ? [] : [`${what} ${id}: its place is ${expected}`];
}

function twice(what: string, ids: readonly string[]): string[] {
  const seen = new Set<string>();
  return ids.flatMap((id) => {
    if (seen.has(id)) return [`${what} ${id}: is there twice`];
    seen.add(id);
    return [];
  });
}
