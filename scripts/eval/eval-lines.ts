import { checkedText, type EvalCheck, type EvalState, evalState } from '../../core/evaluation/eval-check';
import { printable } from '../bench/printable';
import type { Colours, Screen } from '../bench/terminal';
import { besideHead, hangingLines } from '../bench/wrapped-text';
import type { EvalResult } from './eval-command';
import { type RubricResult, rubricLines } from './rubric-lines';

const SIGNS: Record<EvalState, (colours: Colours) => string> = {
  passed: ({ green }) => green('ok     '),
  failed: ({ red }) => red('FAILED '),
  nothing_to_check: ({ yellow }) => yellow('nothing'),
};
const MOST_SHOWN = 10;

/** A line a check with its counts; below one that failed, where. */
export function evalLines(results: readonly EvalResult[], rubric: RubricResult, screen: Screen): string {
  const lines = results.flatMap(({ benchId, checks }) => [
    screen.colours.bold(benchId),
    ...checks.flatMap((check) => [...checkLines(check, screen), ...violationLines(check)]),
  ]);
  return [...lines, ...totals(results), ...rubricLines(rubric)]
    .flatMap((line) => hangingLines(line, screen.width))
    .map((line) => `${line}\n`)
    .join('');
}

function checkLines(check: EvalCheck, { width, colours }: Screen): string[] {
  const { area, name, unit, violations, notes } = check;
  const state = evalState(check);
  const said = {
    passed: checkedText(check),
    failed: `${violations.length} wrong; ${checkedText(check)} looked at`,
    nothing_to_check: `no ${unit} in these transcripts: not a pass`,
  }[state];
  const head = `${SIGNS[state](colours)}  ${area.padEnd(11)} ${name.padEnd(18)}  `;
  return besideHead(head, [said, ...notes.map(printable)].join('; '), width);
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
