import { type Random, randomFrom } from '../../core/random';
import { type CandidateFit, differenceWeights, fitCandidates } from '../../core/ratings/candidate-fit';
import { type CandidateRatings, ratingsOfFit } from '../../core/ratings/candidate-ratings';
import { logitFromElo } from '../../core/ratings/elo-scale';
import { oracleVariance, type Truth, truthOf } from './truth';
import { type BenchSize, drawWorld, type World, type WorldKind } from './world';

/** What many benches of one size in one kind of world came to. */
export interface CellResult {
  /** Share of strengths and differences that had an interval. */
  printed: number;
  /** Candidates without an interval though they had played twelve matches with five hypotheses. */
  withheld: number;
  /** Coverage of 95 % intervals of differences, among those printed; null when none was. */
  differences: number | null;
  strengths: number | null;
  /** Median width of a difference's interval over that of an estimator that knows all variances. */
  width: number | null;
  /** Share of benches of equals with any "better". */
  falseBetter: number;
}

/** Worlds in which the oracle is asked: it costs more than the method, and a median needs no more. */
const ORACLE_WORLDS = 150;

export interface CellSettings {
  worlds: number;
  seed: number;
}

export function runCell(name: string, kind: WorldKind, size: BenchSize, settings: CellSettings): CellResult {
  const random = randomFrom(settings.seed, name, JSON.stringify(size));
  const tally = new Tally();
  for (let k = 0; k < settings.worlds; k++) {
    const world = drawWorld(kind, size, random);
    const fit = fitCandidates(world.matches);
    const ratings = rated(fit, world);
    const truth = truthOf(world, kind);
    tally.add(ratings, truth);
    if (k < ORACLE_WORLDS)
      tally.addWidths(ratings, fit, (influence) => oracleVariance(world, kind, fit, influence));
  }
  return { ...tally.result(), falseBetter: falseBetterShare(kind, size, settings.worlds, random) };
}

/** One draw of P(best) is as good as none: nothing here looks at it. */
function rated(fit: CandidateFit, world: World): CandidateRatings {
  return ratingsOfFit(fit, world.matches, { seed: 0, draws: 1 });
}

function falseBetterShare(kind: WorldKind, size: BenchSize, worlds: number, random: Random): number {
  const equals = { ...kind, skill: 0 };
  let benches = 0;
  for (let k = 0; k < worlds; k++) {
    const world = drawWorld(equals, size, random);
    const { differences } = rated(fitCandidates(world.matches), world);
    // Equal skills: the chance is ½ for every pair, with unequal spreads too.
    if (differences.some(({ word }) => word === 'better' || word === 'worse')) benches += 1;
  }
  return benches / worlds;
}

class Tally {
  private pairs = 0;
  private printedPairs = 0;
  private coveredPairs = 0;
  private singles = 0;
  private withheld = 0;
  private printedSingles = 0;
  private coveredSingles = 0;
  private readonly widths: number[] = [];

  add(ratings: CandidateRatings, truth: Truth): void {
    for (const { a, b, interval } of ratings.differences) {
      this.pairs += 1;
      if (interval === null) continue;
      this.printedPairs += 1;
      const target = truth.difference[numberOf(a)]![numberOf(b)]!;
      if (logitFromElo(interval.low) <= target && target <= logitFromElo(interval.high))
        this.coveredPairs += 1;
    }
    for (const { candidate, interval, matches, hypotheses } of ratings.candidates) {
      this.singles += 1;
      if (interval === null && matches >= 12 && hypotheses >= 5) this.withheld += 1;
      if (interval === null) continue;
      this.printedSingles += 1;
      const target = truth.strength[numberOf(candidate)]!;
      const low = logitFromElo(interval.low - ratings.settings.mean);
      const high = logitFromElo(interval.high - ratings.settings.mean);
      if (low <= target && target <= high) this.coveredSingles += 1;
    }
  }

  addWidths(ratings: CandidateRatings, fit: CandidateFit, oracle: (influence: Float64Array) => number): void {
    const size = fit.design.candidates.length;
    const place = new Map(fit.design.candidates.map((name, number) => [name, number]));
    for (const { a, b, interval } of ratings.differences) {
      if (interval === null) continue;
      const weights = differenceWeights(size, place.get(a)!, place.get(b)!);
      const influence = weights.map((_, i) => {
        return weights.reduce((sum, weight, j) => sum + fit.inverse[i * size + j]! * weight, 0);
      });
      const known = 2 * 1.959963984540054 * Math.sqrt(oracle(influence));
      this.widths.push(logitFromElo(interval.high - interval.low) / known);
    }
  }

  result(): Omit<CellResult, 'falseBetter'> {
    this.widths.sort((one, other) => one - other);
    return {
      printed: (this.printedPairs + this.printedSingles) / (this.pairs + this.singles),
      withheld: this.withheld,
      differences: this.printedPairs > 0 ? this.coveredPairs / this.printedPairs : null,
      strengths: this.printedSingles > 0 ? this.coveredSingles / this.printedSingles : null,
      width: this.widths.length > 0 ? this.widths[Math.floor(this.widths.length / 2)]! : null,
    };
  }
}

function numberOf(candidate: string): number {
  return Number(candidate.slice(1));
}
