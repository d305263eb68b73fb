import { EVAL_AGENTS, type EvalAgent } from '../../core/evaluation/eval-check';
import { UsageError } from '../cli-error';

export interface EvalRequest {
  agent: EvalAgent | null;
  benchId: string | null;
  folder: string | null;
  leastCompliance: number;
  isJson: boolean;
  junitFile: string | null;
}

/** @throws UsageError that lists everything wrong with it */
export function readEvalRequest(
  agent: string | null,
  options: Record<string, string | true | undefined>,
): EvalRequest {
  const problems: string[] = [];
  const known = EVAL_AGENTS.find((name) => name === agent) ?? null;
  if (agent !== null && known === null) problems.push(`agent ${JSON.stringify(agent)}: ${meant(agent)}`);
  const leastCompliance = Number(options.minCompliance ?? 1);
  if (!(leastCompliance >= 0 && leastCompliance <= 1))
    problems.push('--min-compliance: not a share from 0 to 1');
  if (problems.length > 0) {
    throw new UsageError({
      reason: 'this cannot be evaluated',
      problems,
      remedy: 'see co-scientist eval --help',
    });
  }
  return {
    agent: known,
    leastCompliance,
    benchId: textOf(options.bench),
    folder: textOf(options.from),
    isJson: options.json === true,
    junitFile: textOf(options.junit),
  };
}

function meant(agent: string): string {
  const { suggest } = require('../../presets/suggest') as typeof import('../../presets/suggest');
  const close = suggest(agent, [...EVAL_AGENTS]);
  return `none of ${EVAL_AGENTS.join(', ')}${close ? ` (did you mean ${close}?)` : ''}`;
}

function textOf(value: string | true | undefined): string | null {
  return typeof value === 'string' ? value : null;
}
