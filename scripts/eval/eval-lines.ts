import pc from 'picocolors';
import { checkedText, type EvalCheck, type EvalState, evalState } from '../../core/evaluation/eval-check';
import { printable } from '../bench/printable';
import { hangingLines } from '../bench/wrapped-text';
import type { EvalResult } from './eval-command';
import { type RubricResult, rubricLines } from './rubric-lines';

const SIGNS: Record<EvalState, string> = {
  passed: pc.green('ok     '),
  failed: pc.red('FAILED '),
  nothing_to_check: pc.yellow('nothing'),
};
const MOST_SHOWN = 10;

/**
 * A line a check with its counts; below one that failed, where.
 * @param width of the terminal
 */
export function evalLines(results: readonly EvalResult[], rubric: RubricResult, width: number): string {
  const lines = results.flatMap(({ benchId, checks }) => [
    `${pc.bold(benchId)}`,
    ...checks.flatMap((check) => [checkLine(check), ...violationLines(check)]),
  ]);
  return [...lines, ...totals(results), ...rubricLines(rubric)]
    .flatMap((line) => hangingLines(line, width))
    .map((line) => `${line}\n`)
    .join('');
}

function checkLine(check: EvalCheck): string {
  const { area, name, unit, violations, notes } = check;
  const state = evalState(check);
  const said = {
    passed: checkedText(check),
    failed: `${violations.length} wrong; ${checkedText(check)} looked at`,
    nothing_to_check: `no ${unit} in these transcripts: not a pass`,
  }[state];
  return `${SIGNS[state]}  ${area.padEnd(11)} ${name.padEnd(18)} ${[said, ...notes.map(printable)].join('; ')}`;
}

function violationLines({ violations }: EvalCheck): string[] {
  const rest = violations.length - MOST_SHOWN;
  return [
    ...violations
      .slice(0, MOST_SHOWN)
      .map((it) => `           ${printable(it.subject)}: ${printable(it.message)}`),
    ...(rest > 0 ? [`           and ${rest} more (--json has all)`] : []),
  ];
}

function totals(results: readonly EvalResult[]): string[] {
  const states = results.flatMap(({ checks }) => checks).map(evalState);
  const count = (state: EvalState) => states.filter((it) => it === state).length;
  return [
    `${count('passed')} passed, ${count('failed')} failed, ${count('nothing_to_check')} had nothing to check`,
  ];
}
