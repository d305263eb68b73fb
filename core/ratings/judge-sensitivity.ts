import { DEFAULT_PRIOR, fitBradleyTerry } from './bradley-terry';
import { type CovariateFit, fitWithCovariates } from './covariate-fit';
import { eloFromLogit, ratingFromLogit } from './elo-scale';
import { matchDesign } from './match-design';
import type { PipelineAndRaw } from './pipeline-minus-raw';
import type { RatedMatch } from './rated-match';

/** What of a hypothesis's text a judge may reward without reading it. */
export interface TextFeatures {
  lengthChars: number;
  citations: number;
}

/** The ratings again with differences in length and in citation counts held equal. A check, not the headline. */
export interface JudgeSensitivity {
  covariates: CovariateEffect[];
  /** Ratings (mean 1000) without and with the covariates, by candidate name. */
  candidates: { candidate: string; before: number; after: number }[];
  pipelineMinusRaw: { model: string; before: number | null; after: number | null }[];
  /** The normal prior on each effect, in logits a standard deviation; it keeps inseparable effects finite. */
  priorSd: number;
}

export interface CovariateEffect {
  name: keyof TextFeatures;
  /** Elo points that one standard deviation of the difference is worth; null where nothing differs. */
  eloPerSd: number | null;
  /** Standard deviation of the difference between the two texts of a match. */
  sd: number;
  /**
   * Share of the difference that follows from who plays, 0 to 1. Near 1 the covariate and the candidates cannot
   * be told apart, and `after` says little.
   */
  explainedByCandidates: number | null;
}

const FEATURES = ['lengthChars', 'citations'] as const;
const PRIOR_SD = 1;

/**
 * @param features of each hypothesis in a played match
 * @throws RangeError naming the first hypothesis without features
 */
export function judgeSensitivity(
  matches: readonly RatedMatch[],
  features: ReadonlyMap<string, TextFeatures>,
  models: readonly PipelineAndRaw[] = [],
): JudgeSensitivity {
  const design = matchDesign(matches);
  const before = fitBradleyTerry(design.pairs);
  const of = (hypothesis: number): TextFeatures => {
    const found = features.get(design.hypotheses[hypothesis]!);
    if (found === undefined) throw new RangeError(`no text features of "${design.hypotheses[hypothesis]}"`);
    return found;
  };
  const differences = FEATURES.map((name) => {
    return design.matches.map(({ hypA, hypB }) => of(hypA)[name] - of(hypB)[name]);
  });
  const after = fitWithCovariates(design, differences, {
    priorSd: PRIOR_SD,
    tieWeight: before.isConnected ? 0 : DEFAULT_PRIOR.weight,
  });
  const ratings = design.candidates.map((candidate, i) => ({
    candidate,
    before: ratingFromLogit(before.theta[i]!),
    after: ratingFromLogit(after.theta[i]!),
  }));
  return {
    covariates: FEATURES.map((name, k) => effectOf(name, after, k)),
    candidates: ratings,
    pipelineMinusRaw: models.map(({ model, pipeline, raw }) => {
      const one = ratings.find(({ candidate }) => candidate === pipeline);
      const other = ratings.find(({ candidate }) => candidate === raw);
      return {
        model,
        before: one && other ? one.before - other.before : null,
        after: one && other ? one.after - other.after : null,
      };
    }),
    priorSd: PRIOR_SD,
  };
}

function effectOf(name: keyof TextFeatures, fit: CovariateFit, k: number): CovariateEffect {
  const sd = fit.sds[k]!;
  return {
    name,
    eloPerSd: sd > 0 ? eloFromLogit(fit.effects[k]!) : null,
    sd,
    explainedByCandidates: sd > 0 ? fit.explained[k]! : null,
  };
}
