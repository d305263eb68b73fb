import { ANSWER_READING } from './answer';
import { CASE_ORDER } from './case-order';

/**
 * What no output of this part may be read without: the limits the owner's document sets, as fields. Written
 * into every output, in this order.
 */
export const SCIPIVOT_LIMITS = {
  adapter: null,
  evaluation_protocol_interface: 'options_only',
  diagnostic_only: true,
  eligible_for_promotion: false,
  full_experiment_status: 'not_reproduced_high_cost',
  official_files:
    'Not at hand when this was written and never read by it: the reader follows the document and reasonable ' +
    'shapes of a release. A pinned hash says that a file is the release, not that the reading was tried on it.',
  measures:
    'Choosing the more appropriate next research plan of two, from their texts alone. Not predicting the success ' +
    'of a project, and not the ability to do research.',
  denominator:
    'Strict: every case in both orders. Timeouts, truncations, provider failures, refusals, unreadable, ambiguous ' +
    'and missing answers are wrong. Stricter than averaging over the orders that survived, as upstream does.',
  answer_reading: ANSWER_READING,
  case_order: CASE_ORDER,
  scorer_reproduction: 'No claim to reproduce the released scorer byte for byte.',
  prompt: 'Ours, not the released one. Published figures compare only where the prompt hash is theirs.',
  sandbox:
    'The exporter is no sandbox of an operating system. Mount the public directory alone: without the grader ' +
    'directory, the repository, a parent directory or a network.',
} as const;
