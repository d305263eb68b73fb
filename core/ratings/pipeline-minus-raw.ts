import { meanOf } from '../mean';
import { type CandidateFit, contrastOf, differenceWeights } from './candidate-fit';
import { DEFAULT_MARGIN_ELO, type DifferenceWord, differenceWord } from './difference-word';
import { eloFromLogit } from './elo-scale';
import { type Interval, intervalAmong, singleInterval, whyNoInterval } from './interval';

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
  /** A family of its own, declared beforehand: all intervals hold at once in 95 % of benches. */
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
 * @param marginElo differences up to this are of no interest
 */
export function pipelineMinusRaw(
  fit: CandidateFit,
  models: readonly PipelineAndRaw[],
  marginElo: number = DEFAULT_MARGIN_ELO,
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
  return {
    models: rated.map(({ model, weights, isShown }) => {
      const contrast = weights === null ? null : contrastOf(fit, weights);
      const interval = contrast !== null && isShown ? inElo(intervalAmong(contrast, shown)) : null;
      return {
        model: model.model,
        elo: contrast === null ? null : eloFromLogit(contrast.estimate),
        interval,
        word: differenceWord(interval, marginElo),
        usd: difference(model.pipelineUsd, model.rawUsd),
      };
    }),
    overall: overallOf(fit, rated, marginElo),
  };
}

function overallOf(
  fit: CandidateFit,
  rated: readonly { model: PipelineAndRaw; weights: Float64Array | null; isShown: boolean }[],
  marginElo: number,
): OverallDifference | null {
  if (rated.length === 0) return null;
  const usd = rated.map(({ model }) => difference(model.pipelineUsd, model.rawUsd));
  const known = usd.filter((one) => one !== null);
  const meanUsd = known.length < usd.length ? null : meanOf(known);
  if (rated.some(({ weights }) => weights === null)) {
    return { elo: null, interval: null, word: 'too_few', usd: meanUsd };
  }
  const mean = new Float64Array(fit.design.candidates.length);
  for (const { weights } of rated)
    weights!.forEach((weight, i) => {
      mean[i]! += weight / rated.length;
    });
  const contrast = contrastOf(fit, mean);
  const interval = rated.every(({ isShown }) => isShown) ? inElo(singleInterval(contrast)) : null;
  return {
    elo: eloFromLogit(contrast.estimate),
    interval,
    word: differenceWord(interval, marginElo),
    usd: meanUsd,
  };
}

function difference(one: number | null, other: number | null): number | null {
  return one === null || other === null ? null : one - other;
}

function inElo({ low, high }: Interval): Interval {
  return { low: eloFromLogit(low), high: eloFromLogit(high) };
}
