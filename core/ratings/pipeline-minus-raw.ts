import { meanOf } from '../mean';
import { type CandidateFit, contrastOf, differenceWeights } from './candidate-fit';
import { type DifferenceWord, differenceWord } from './difference-word';
import { eloFromLogit } from './elo-scale';
import { type Interval, intervalAmong, whyNoInterval } from './interval';

/** One model as a full pipeline and as one raw call. */
export interface PipelineAndRaw {
  model: string;
  /** Candidate names. */
  pipeline: string;
  raw: string;
  /** Dollars each has cost; null where that is unknown. */
  pipelineUsd: number | null;
  rawUsd: number | null;
}

/** What the pipeline adds, in Elo points, and what it costs. */
export interface PipelineMinusRaw {
  /** With their mean a family of its own, declared beforehand: all intervals hold at once in 95 % of benches. */
  models: ModelDifference[];
  /** The mean over these models (no claim about others); null without one. */
  overall: OverallDifference | null;
}

export interface OverallDifference {
  /** null where a candidate has no rating. */
  elo: number | null;
  interval: Interval | null;
  word: DifferenceWord;
  /** Dollars; null where one is unknown. */
  usd: number | null;
}

export interface ModelDifference extends OverallDifference {
  model: string;
}

/**
 * Elo points that the pipeline adds to each model, and to their mean; dollars as they are.
 * @param isJudgeUninformative the judge flips too often to be believed: no word but that
 */
export function pipelineMinusRaw(
  fit: CandidateFit,
  models: readonly PipelineAndRaw[],
  isJudgeUninformative = false,
): PipelineMinusRaw {
  const size = fit.design.candidates.length;
  const numberOf = new Map(fit.design.candidates.map((candidate, number) => [candidate, number]));
  const rated = models.map((model) => {
    const pipeline = numberOf.get(model.pipeline);
    const raw = numberOf.get(model.raw);
    const weights =
      pipeline === undefined || raw === undefined ? null : differenceWeights(size, pipeline, raw);
    const sides = [pipeline, raw].filter((side) => side !== undefined);
    return {
      model,
      weights,
      isShown: weights !== null && sides.every((side) => whyNoInterval(fit, side) === null),
    };
  });
  const shown = rated.filter(({ isShown }) => isShown).length;
  const family: Family = {
    fit,
    // Of one model the mean is that model.
    quantities: models.length > 1 && shown === models.length ? shown + 1 : shown,
    isJudgeUninformative,
  };
  return {
    models: rated.map(({ model, weights, isShown }) => ({
      model: model.model,
      ...differenceOf(family, weights, isShown),
      usd: difference(model.pipelineUsd, model.rawUsd),
    })),
    overall: overallOf(family, rated),
  };
}

/** What holds at once. */
interface Family {
  fit: CandidateFit;
  /** Those with an interval. */
  quantities: number;
  isJudgeUninformative: boolean;
}

/** @param weights null where a candidate has no rating */
function differenceOf(
  { fit, quantities, isJudgeUninformative }: Family,
  weights: Float64Array | null,
  isShown: boolean,
): Pick<OverallDifference, 'elo' | 'interval' | 'word'> {
  if (weights === null) return { elo: null, interval: null, word: 'too_few' };
  const contrast = contrastOf(fit, weights);
  const interval = isShown ? inElo(intervalAmong(contrast, quantities)) : null;
  return {
    elo: eloFromLogit(contrast.estimate),
    interval,
    word: isJudgeUninformative ? 'uninformative_judge' : differenceWord(interval),
  };
}

function overallOf(
  family: Family,
  rated: readonly { model: PipelineAndRaw; weights: Float64Array | null; isShown: boolean }[],
): OverallDifference | null {
  if (rated.length === 0) return null;
  const usd = rated.map(({ model }) => difference(model.pipelineUsd, model.rawUsd));
  const known = usd.filter((one) => one !== null);
  const mean = new Float64Array(family.fit.design.candidates.length);
  for (const { weights } of rated)
    weights?.forEach((weight, i) => {
      mean[i]! += weight / rated.length;
    });
  const isRated = rated.every(({ weights }) => weights !== null);
  const isShown = rated.every((one) => one.isShown);
  return {
    ...differenceOf(family, isRated ? mean : null, isShown),
    usd: known.length < usd.length ? null : meanOf(known),
  };
}

function difference(one: number | null, other: number | null): number | null {
  return one === null || other === null ? null : one - other;
}

function inElo({ low, high }: Interval): Interval {
  return { low: eloFromLogit(low), high: eloFromLogit(high) };
}
