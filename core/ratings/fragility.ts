import { scoreOfA, sideAt } from '../outcome';
import { type BradleyTerryFit, byStrength, fitBradleyTerry } from './bradley-terry';
import { inverseCurvature } from './curvature';
import { countPairs } from './pair-counts';
import type { RatedMatch } from './rated-match';

/** How few verdicts, had they named the other side, would have put another candidate first. */
export interface Fragility {
  leader: string;
  /** Who would be first instead; null when no flips of decisive verdicts bring that about. */
  challenger: string | null;
  /**
   * Flips that suffice, shown by a fit of the flipped verdicts. They are taken in order of their influence, so
   * fewer might do in a schedule with very unequal pairs; with equally played pairs none do.
   */
  flips: number | null;
  /** Decisive verdicts there are. */
  verdicts: number;
}

/** null with fewer than two rated candidates. A tie in strength is enough to lose the first place. */
export function fragilityOf(matches: readonly RatedMatch[]): Fragility | null {
  const played = matches.filter(({ scoreA }) => scoreA !== null);
  const fit = fitOf(played, new Set());
  const { items } = fit.pairs;
  if (items.length < 2) return null;
  const [leader = 0] = byStrength(fit);
  const flippable = decisiveVerdicts(played);
  const inverse = inverseCurvature(fit);
  let fewest: { challenger: number; flips: number } | null = null;
  for (let challenger = 0; challenger < items.length; challenger++) {
    if (challenger === leader) continue;
    const useful = byInfluence(played, flippable, fit, { leader, challenger, inverse });
    const flips = fewestFlips(
      played,
      useful,
      items[leader]!,
      items[challenger]!,
      fewest?.flips ?? useful.length + 1,
    );
    if (flips !== null && (fewest === null || flips < fewest.flips)) fewest = { challenger, flips };
  }
  return {
    leader: items[leader]!,
    challenger: fewest === null ? null : items[fewest.challenger]!,
    flips: fewest?.flips ?? null,
    verdicts: flippable.length,
  };
}

/** A verdict by its match (place among the played) and its place in it; points for side A a flip would bring. */
interface Flippable {
  match: number;
  verdict: number;
  gainA: number;
}

function decisiveVerdicts(played: readonly RatedMatch[]): Flippable[] {
  return played.flatMap(({ verdicts }, match) => {
    const counted = verdicts.filter(({ repeat }) => repeat === 0).length;
    return verdicts.flatMap(({ order, winner, repeat }, verdict) => {
      if (winner === 'tie' || repeat > 0) return [];
      const score = scoreOfA(sideAt(order, winner));
      return [{ match, verdict, gainA: (1 - 2 * score) / counted }];
    });
  });
}

/** Those whose flip moves the challenger up against the leader, the strongest first (then in schedule order). */
function byInfluence(
  played: readonly RatedMatch[],
  flippable: readonly Flippable[],
  fit: BradleyTerryFit,
  { leader, challenger, inverse }: { leader: number; challenger: number; inverse: Float64Array },
): Flippable[] {
  const size = fit.theta.length;
  const place = new Map(fit.pairs.items.map((item, number) => [item, number]));
  const pull = (item: number) => inverse[challenger * size + item]! - inverse[leader * size + item]!;
  return flippable
    .map((one) => {
      const { candA, candB } = played[one.match]!;
      return { one, moved: one.gainA * (pull(place.get(candA)!) - pull(place.get(candB)!)) };
    })
    .filter(({ moved }) => moved > 1e-12)
    .sort((x, y) => y.moved - x.moved || x.one.match - y.one.match || x.one.verdict - y.one.verdict)
    .map(({ one }) => one);
}

/** Smallest k below the limit such that flipping the first k puts the challenger level; null when none does. */
function fewestFlips(
  played: readonly RatedMatch[],
  useful: readonly Flippable[],
  leader: string,
  challenger: string,
  limit: number,
): number | null {
  const most = Math.min(useful.length, limit - 1);
  const suffices = (k: number) => {
    const { theta, pairs } = fitOf(played, new Set(useful.slice(0, k)));
    const gap = theta[pairs.items.indexOf(leader)]! - theta[pairs.items.indexOf(challenger)]!;
    return gap <= 1e-9;
  };
  if (most < 1 || !suffices(most)) return null;
  let enough = most;
  let short = 0;
  while (enough - short > 1) {
    const middle = Math.floor((enough + short) / 2);
    if (suffices(middle)) enough = middle;
    else short = middle;
  }
  return enough;
}

function fitOf(played: readonly RatedMatch[], flipped: ReadonlySet<Flippable>): BradleyTerryFit {
  const gains = new Map<number, number>();
  for (const { match, gainA } of flipped) gains.set(match, (gains.get(match) ?? 0) + gainA);
  return fitBradleyTerry(
    countPairs(
      played.map(({ candA, candB, scoreA }, match) => ({
        left: candA,
        right: candB,
        // A sum of thirds may miss 0 or 1 by a rounding.
        scoreLeft: Math.min(1, Math.max(0, scoreA! + (gains.get(match) ?? 0))),
      })),
    ),
  );
}
