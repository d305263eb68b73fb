import { type JudgeEvidence, NightlySeries } from '../ratings/nightly-evidence';

/** What the anchors came to in one night. */
export interface AnchorScores {
  /** Mean score of the sides that their own bench rated higher: falls with a coarser judge, rises with a sharper. */
  favourites: number;
  /** Mean score of each pinned candidate's texts, in the panel's order: moves where a judge's taste does. */
  sides: readonly (number | null)[];
}

/**
 * The judge's own test: the same evidence on its anchors. A mean of e-values is an e-value, so both directions of the
 * favourites (half of the weight) and of every side (the other half) are looked at for one α: 1/α is the alarm.
 */
export class JudgeSeries {
  private readonly favourites: NightlySeries;
  private readonly sides: NightlySeries[];
  private highest = 1;

  constructor(seed: number, sides: number) {
    this.favourites = new NightlySeries(seed, 'anchors');
    this.sides = Array.from({ length: sides }, (_, i) => new NightlySeries(seed, 'anchors', String(i)));
  }

  add({ favourites, sides }: AnchorScores): void {
    this.favourites.add(favourites);
    this.sides.forEach((series, i) => {
      const score = sides[i];
      if (score != null) series.add(score);
    });
    this.highest = Math.max(this.highest, this.value());
  }

  get evidence(): JudgeEvidence {
    return { nights: this.favourites.evidence.nights, value: this.value(), highest: this.highest };
  }

  private value(): number {
    const favourites = bothWays(this.favourites);
    if (this.sides.length === 0) return favourites;
    return (
      favourites / 2 + this.sides.reduce((sum, series) => sum + bothWays(series), 0) / (2 * this.sides.length)
    );
  }
}

function bothWays({ evidence }: NightlySeries): number {
  return (evidence.drop + evidence.gain) / 2;
}
