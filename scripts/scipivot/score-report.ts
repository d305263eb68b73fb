import { readPredictions } from '../../activities/scipivot/predictions';
import { LONGEST_LINE_BYTES, readReferences } from '../../activities/scipivot/references';
import { type BootstrapSettings, OFFICIAL_BOOTSTRAP } from '../../core/scipivot/bootstrap';
import { SCIPIVOT_LIMITS } from '../../core/scipivot/limits';
import { type ScipivotScore, scorePredictions } from '../../core/scipivot/score';
import release from '../../presets/scipivot/official-release.json';
import { requireFile } from '../readable-file';
import { together } from '../together';
import { type InputHash, readInput, readLines } from './input-file';
import { PINNED, type Pin } from './release-pin';

export interface ScoreOptions {
  references: string;
  predictions: string;
}

/** Scores predictions against references, as the text of the output file: aggregates over all cases only. */
export async function buildScoreReport(options: ScoreOptions): Promise<ScoreReport> {
  const [file] = await together(
    () => readInput('references', options.references),
    () => requireFile('predictions', options.predictions),
  );
  const { revision, references } = readReferences(file.bytes);
  const { lines, hash } = readLines('predictions', options.predictions, LONGEST_LINE_BYTES);
  const predictions = await readPredictions(lines, new Set(references.map(({ caseId }) => caseId)));
  const score = scorePredictions(references, predictions, OFFICIAL_BOOTSTRAP);
  return scoreReport(score, revision, { references: file.hash, predictions: hash() });
}

export interface ScoreReport {
  mean: number;
  interval: { low: number; high: number; level: number };
  n_cases: number;
  n_sessions: number;
  n_correct_sessions: number;
  failures: Record<string, number>;
  order_consistency: number | null;
  shown_first_rate: number | null;
  pin: { status: string; revision: string; expected: Pin['expected'] };
  [field: string]: unknown;
}

/** The output's fields, from a score: the same bytes whoever made it, a file or a run. */
export function scoreReport(
  score: ScipivotScore,
  revision: string,
  inputs: { references: InputHash; predictions: InputHash },
): ScoreReport {
  const { bootstrap, positionBias } = score;
  return {
    format: 1,
    kind: 'scipivot_score',
    mean: score.mean,
    interval: { ...score.interval, level: bootstrap.level },
    n_cases: score.nCases,
    n_sessions: score.nSessions,
    n_correct_sessions: score.nCorrectSessions,
    n_answered_sessions: score.nAnsweredSessions,
    failures: score.failures,
    order_consistency: score.orderConsistency,
    n_cases_answered_twice: score.nCasesAnsweredTwice,
    shown_first_rate: score.shownFirstRate,
    mean_by_order: score.meanByOrder,
    position_bias: {
      flipped_to_first: positionBias.firstFirst,
      flipped_to_second: positionBias.secondSecond,
      p_value: positionBias.pValue,
      test: 'exact two-sided binomial against 1/2, over cases whose two answers name different options',
    },
    pin: {
      status: revision === PINNED.revision ? 'pinned_as_the_references_state' : 'unpinned',
      revision,
      expected: PINNED,
    },
    ...SCIPIVOT_LIMITS,
    deterministic: true,
    seeds: [bootstrap.seed],
    settings: settingsOf(bootstrap),
    inputs,
    published: release.published,
    does_not_show: DOES_NOT_SHOW,
  };
}

function settingsOf(bootstrap: BootstrapSettings): Record<string, unknown> {
  return {
    bootstrap: {
      ...bootstrap,
      unit: 'case: both orders of a case stay together, every case has equal weight',
      draws: 'numpy default_rng(seed).integers(0, n_cases, (resamples, n_cases)), row by row',
      interval: 'percentiles of the resampled means, linear between neighbours',
    },
    case_score: '1/2 [answer(ab) = y] + 1/2 [answer(ba) = swap(y)]; a letter names the place shown',
    longest_line_bytes: LONGEST_LINE_BYTES,
  };
}

const DOES_NOT_SHOW = [
  'Who or what made the predictions, with which prompt and which reasoning effort: the file does not say.',
  'That the sessions were independent, and that no candidate could reach the references.',
  'That the references are those of the pinned revision: their file only states it.',
  'A difference between two candidates: that takes an interval of its own, from paired resamples.',
  'The score of any single case: it would give the label away.',
];
