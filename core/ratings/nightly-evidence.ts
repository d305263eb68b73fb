import { randomFrom } from '../random';
import { logGamma } from './beta';

/** Evidence that a candidate has changed, looked at every night without losing its validity. */
export interface NightlyEvidence {
  nights: number;
  /** E-value for a drop and for a gain: under no change each ever exceeds 1/α with a chance of at most α. */
  drop: number;
  gain: number;
  /** The highest that each has been on any night: an alarm stays raised until the next accept. */
  highestDrop: number;
  highestGain: number;
  /** What `drop` would be had every night been the worst so far: the most these nights could have shown. */
  attainable: number;
}

/**
 * The unit is one number a candidate and night: the mean match score of its fresh hypotheses against a frozen
 * panel. Without change nights are exchangeable, so tonight's place among all nights since the last accept is
 * uniform (ties broken by a seeded draw); its p-value is turned into an e-value ½·p^(−½) (Vovk and Wang 2021),
 * and nights are bet on from each night s on, with weight 1/(s·(s + 1)): a change may begin at any time.
 *
 * @param scores of all nights since the last accept, in their order
 * @param names what the draws belong to, such as the candidate's label
 */
export function nightlyEvidence(
  scores: readonly number[],
  seed: number,
  ...names: string[]
): NightlyEvidence {
  const series = new NightlySeries(seed, ...names);
  for (const score of scores) series.add(score);
  return series.evidence;
}

/** The same, night after night. */
export class NightlySeries {
  private readonly names: string[];
  private readonly scores: number[] = [];
  private readonly drop = new EvidenceFromAnyStart();
  private readonly gain = new EvidenceFromAnyStart();
  private readonly attainable = new EvidenceFromAnyStart();

  constructor(
    private readonly seed: number,
    ...names: string[]
  ) {
    this.names = names;
  }

  add(score: number): void {
    // A stream of its own for each night: tonight's draw does not depend on how many nights are replayed.
    const night = this.scores.length;
    const draw = 1 - randomFrom(this.seed, 'nightly', ...this.names, String(night)).uniform();
    this.scores.push(score);
    const place = randomisedPlace(this.scores, draw);
    this.drop.bet(eValueOf(place));
    this.gain.bet(eValueOf(1 - place));
    this.attainable.bet(eValueOf(0.5 / (night + 1)));
  }

  get evidence(): NightlyEvidence {
    return {
      nights: this.scores.length,
      drop: this.drop.value,
      gain: this.gain.value,
      highestDrop: this.drop.highest,
      highestGain: this.gain.highest,
      attainable: this.attainable.value,
    };
  }
}

export type NightlyVerdict = 'regressed' | 'improved' | 'no_change' | 'underpowered' | 'judge_drift';

export interface NightlyRule {
  /** The chance of any false alarm, ever, over all candidates and both directions. */
  alpha: number;
  candidates: number;
}

/** Evidence that the judge is not the one it was. */
export interface JudgeEvidence {
  nights: number;
  /** E-value tonight, and the highest so far. */
  value: number;
  highest: number;
}

/**
 * An alarm that was ever raised since the last accept stands: its guarantee is over all nights.
 *
 * @param judge evidence from fixed matches judged again each night; null when there are none. It has an alpha of its
 *   own; while it is raised nobody is called regressed or improved. While it is merely suspected nobody is either:
 *   there is not enough to tell the candidate from its judge.
 */
export function nightlyVerdict(
  evidence: NightlyEvidence,
  judge: JudgeEvidence | null,
  { alpha, candidates }: NightlyRule,
): NightlyVerdict {
  if (judge !== null && hasJudgeDrifted(judge, alpha)) return 'judge_drift';
  const threshold = candidateAlarm({ alpha, candidates });
  const isRaised = Math.max(evidence.highestDrop, evidence.highestGain) >= threshold;
  if (isRaised && judge !== null && judge.value >= SUSPECTED) return 'underpowered';
  if (evidence.highestDrop >= threshold) return 'regressed';
  if (evidence.highestGain >= threshold) return 'improved';
  return evidence.attainable < threshold ? 'underpowered' : 'no_change';
}

/** Three to one against the judge being the same: an unchanged judge is there on few nights. */
const SUSPECTED = 3;

/** The E-value from which a candidate has changed: alpha is shared by all of them, each in both directions. */
export function candidateAlarm({ alpha, candidates }: NightlyRule): number {
  return (2 * candidates) / alpha;
}

/** The E-value from which the judge has drifted; both its directions are in one value. */
export function judgeAlarm(alpha: number): number {
  return 1 / alpha;
}

export function hasJudgeDrifted(judge: JudgeEvidence, alpha: number): boolean {
  return judge.highest >= judgeAlarm(alpha);
}

/**
 * E-value of k wins in n independent even trials against any win rate, a uniform mixture: 2ⁿ / ((n + 1)·C(n, k)).
 * Only where trials *are* independent and even: verdicts against a pinned baseline are neither.
 */
export function signEvidence(wins: number, trials: number): number {
  if (!(Number.isSafeInteger(wins) && Number.isSafeInteger(trials) && wins >= 0 && wins <= trials)) {
    throw new RangeError(`sign evidence: ${wins} of ${trials} is no count`);
  }
  const ways = logGamma(trials + 1) - logGamma(wins + 1) - logGamma(trials - wins + 1);
  return Math.exp(trials * Math.LN2 - ways) / (trials + 1);
}

/** Bets begun on every night, each with its weight; what has not begun is kept as capital. */
class EvidenceFromAnyStart {
  highest = 1;
  private nights = 0;
  private begun = 0;

  bet(eValue: number): void {
    this.nights += 1;
    this.begun = (this.begun + 1 / (this.nights * (this.nights + 1))) * eValue;
    this.highest = Math.max(this.highest, this.value);
  }

  get value(): number {
    return this.begun + 1 / (this.nights + 1);
  }
}

/** Share of nights below the last one, its equals (itself too) split by the draw: uniform on (0, 1]. */
function randomisedPlace(scores: readonly number[], draw: number): number {
  const last = scores[scores.length - 1]!;
  const below = scores.filter((score) => score < last).length;
  const equal = scores.filter((score) => score === last).length;
  return (below + draw * equal) / scores.length;
}

function eValueOf(pValue: number): number {
  return 0.5 / Math.sqrt(Math.max(pValue, Number.EPSILON));
}
