import { readAggregates } from '../../activities/scipivot/aggregates';
import { readQuestions } from '../../activities/scipivot/questions';
import { auditRelease, RELEASE_SIZE } from '../../core/scipivot/audit';
import { SCIPIVOT_LIMITS } from '../../core/scipivot/limits';
import { together } from '../together';
import { readInput } from './input-file';
import { pinRelease } from './release-pin';

export interface AuditOptions {
  questions: string;
  aggregates: string;
  allowUnpinned: boolean;
}

const MOST_PROBLEMS = 20;

/** Counts and arithmetic over a release, as the text of the output file. No model, no network, no draw. */
export async function buildAuditReport(options: AuditOptions): Promise<AuditReport> {
  const [questions, aggregates] = await together(
    () => readInput('questions', options.questions),
    () => readInput('aggregates', options.aggregates),
  );
  const pin = pinRelease({ questions: questions.hash, aggregates: aggregates.hash }, options.allowUnpinned);
  const { cases, shape } = readQuestions(questions.bytes);
  const { rows, columns, leftBehind } = readAggregates(aggregates.bytes);
  const audit = auditRelease(cases, rows, RELEASE_SIZE);
  return {
    format: 1,
    kind: 'scipivot_audit',
    status: audit.hasPassed ? 'passed' : 'failed',
    pin,
    ...SCIPIVOT_LIMITS,
    deterministic: true,
    seeds: [],
    settings: { allow_unpinned: options.allowUnpinned },
    inputs: { questions: questions.hash, aggregates: aggregates.hash },
    checks: audit.checks.map(({ name, expected, found, hasPassed }) => ({
      name,
      expected,
      found,
      passed: hasPassed,
    })),
    n_cases: audit.nCases,
    n_planned_prompts: audit.nPlannedPrompts,
    labels: audit.labels,
    aggregates: {
      n_rows: audit.nAggregateRows,
      n_rows_with_accuracy: audit.nRowsWithAccuracy,
      n_rows_with_parsed_accuracy: audit.nRowsWithParsedAccuracy,
      case_accuracy_is_correct_over_n_runs: audit.caseAccuracyReadings.equalWeights,
      case_accuracy_possible_over_surviving_orders: audit.caseAccuracyReadings.survivingOrders,
    },
    problems: audit.problems.slice(0, MOST_PROBLEMS),
    n_problems: audit.problems.length,
    read_as: {
      questions: { list: shape.list, id: shape.id, options: shape.options, label: shape.label },
      questions_fields_read_over: shape.leftBehind,
      aggregates: columns,
      aggregates_columns_read_over: leftBehind,
    },
    does_not_show: DOES_NOT_SHOW,
  };
}

export interface AuditReport {
  status: 'passed' | 'failed';
  checks: { name: string; expected: number; found: number; passed: boolean }[];
  problems: string[];
  n_problems: number;
  [field: string]: unknown;
}

const DOES_NOT_SHOW = [
  'No model was run and no answer was scored: a release of aggregates has no answer of any case and order.',
  "The paper's confidence intervals are not recomputed.",
  'That a row agrees with itself does not make it true: only contradictions within a row are found.',
  'A case accuracy counted as possible over surviving orders is consistent with some loss of answers; which one ' +
    'happened is not in the file.',
  'Whether the labels are right, and whether an option gives its label away, is not examined.',
];
