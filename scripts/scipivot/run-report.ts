import { OFFICIAL_BOOTSTRAP } from '../../core/scipivot/bootstrap';
import { SCIPIVOT_LIMITS } from '../../core/scipivot/limits';
import type { ScipivotSubject, ScipivotSummary } from '../../core/scipivot/summary';
import release from '../../presets/scipivot/official-release.json';
import { PINNED } from './release-pin';
import type { ScipivotBench } from './run-files';

/**
 * The whole of a run, for `run.json`: who was asked, what each came to, how they differ, and what may not be read
 * into it.
 * @param folders of each one's files, by who was asked
 */
export function runReport(
  { benchId, status, simulated, seed, scipivot }: ScipivotBench,
  revision: string,
  folders: ReadonlyMap<string, string>,
): Record<string, unknown> {
  const ofRole = (role: ScipivotSubject['role']) =>
    scipivot.subjects
      .filter((one) => one.role === role)
      .map((one) => subjectReport(one, folders.get(one.subject)));
  return {
    format: 1,
    kind: 'scipivot_run',
    bench_id: benchId,
    status,
    simulated,
    pin: {
      status: revision === PINNED.revision ? 'pinned_as_the_references_state' : 'unpinned',
      revision,
      expected: PINNED,
    },
    ...SCIPIVOT_LIMITS,
    data_set: {
      name: scipivot.dataSet,
      n_cases: scipivot.nCases,
      prompts_sha256: scipivot.promptsSha256,
    },
    settings: {
      sessions:
        'one call a case and order, a fresh conversation each, the prompt alone; never asked again for its answer',
      bootstrap: OFFICIAL_BOOTSTRAP,
      differences: DIFFERENCES,
    },
    seeds: [OFFICIAL_BOOTSTRAP.seed, ...(simulated ? [seed] : [])],
    candidates: ofRole('candidate'),
    judges: ofRole('judge'),
    differences: differenceReports(scipivot),
    published: release.published,
    does_not_show: DOES_NOT_SHOW,
  };
}

const DIFFERENCES =
  'of the means over the same cases, on the resamples of the single intervals; `among_all` holds for all pairs at ' +
  'once (largest standardised difference over the pairs, carried to Student’s t), and the word goes by it';

const DOES_NOT_SHOW = [
  'The score of any single case: with its answers it would give the label away.',
  'How good research ideas are: what was asked is which of two plans is the more appropriate next one.',
  'A comparison with published figures: they are of another prompt unless the prompt hash is theirs.',
];

function subjectReport(one: ScipivotSubject, folder: string | undefined): Record<string, unknown> {
  const { score } = one;
  return {
    name: one.subject,
    provider: one.provider,
    model: one.model,
    state: one.state,
    reason: one.reason,
    files: folder ?? null,
    n_sessions: one.nSessions,
    n_ended_sessions: one.nEnded,
    mean: score?.mean ?? null,
    interval: score ? { ...score.interval, level: score.bootstrap.level } : null,
    n_correct_sessions: score?.nCorrectSessions ?? null,
    order_consistency: score?.orderConsistency ?? null,
    shown_first_rate: score?.shownFirstRate ?? null,
    mean_by_order: score?.meanByOrder ?? null,
    position_bias: score
      ? {
          flipped_to_first: score.positionBias.firstFirst,
          flipped_to_second: score.positionBias.secondSecond,
          p_value: score.positionBias.pValue,
        }
      : null,
    failures: score?.failures ?? null,
    cost_usd: one.costUsd,
    n_unknown_cost: one.nUnknownCost,
    in_doubt_usd: one.inDoubtUsd,
  };
}

function differenceReports({ differences, margin }: ScipivotSummary): Record<string, unknown>[] {
  return differences.map(({ a, b, mean, alone, amongAll, word }) => ({
    a,
    b,
    difference: mean,
    alone,
    among_all: amongAll,
    word,
    margin,
  }));
}
