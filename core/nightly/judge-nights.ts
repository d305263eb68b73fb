import {
  hasJudgeDrifted,
  type JudgeEvidence,
  type NightlyEvidence,
  NightlySeries,
  type NightlyVerdict,
  nightlyVerdict,
} from '../ratings/nightly-evidence';
import { type AnchorScores, JudgeSeries } from './judge-evidence';

/** What one night came to. */
export interface NightScores {
  /** In the order of the candidates: the mean match score of its fresh hypotheses; null: too little was played. */
  candidates: readonly (number | null)[];
  /** null: too few were played, or there are none. */
  anchors: AnchorScores | null;
}

export interface JudgedNight {
  /** Since the last accept, this night included. */
  judge: JudgeEvidence;
  hasJudgeDrifted: boolean;
  candidates: { evidence: NightlyEvidence; verdict: NightlyVerdict }[];
}

export interface NightlyDesign {
  labels: readonly string[];
  /** Pinned candidates whose texts stand in anchors. */
  sides: number;
  /** Chance of any false alarm about candidates, ever; and again that of one about the judge. */
  alpha: number;
  seed: number;
}

/** Nights since one accept, each judged by what is known by then. A night without a score counts for nobody. */
export class NightJudge {
  private readonly candidates: NightlySeries[];
  private readonly judge: JudgeSeries;

  constructor(private readonly design: NightlyDesign) {
    this.candidates = design.labels.map((label) => new NightlySeries(design.seed, 'candidate', label));
    this.judge = new JudgeSeries(design.seed, design.sides);
  }

  add({ candidates, anchors }: NightScores): JudgedNight {
    const { alpha, labels } = this.design;
    if (anchors !== null) this.judge.add(anchors);
    this.candidates.forEach((series, i) => {
      const score = candidates[i];
      if (score != null) series.add(score);
    });
    const judge = this.judge.evidence;
    return {
      judge,
      hasJudgeDrifted: hasJudgeDrifted(judge, alpha),
      candidates: this.candidates.map(({ evidence }) => ({
        evidence,
        verdict: nightlyVerdict(evidence, judge, { alpha, candidates: labels.length }),
      })),
    };
  }
}
