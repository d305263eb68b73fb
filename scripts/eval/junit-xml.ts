import junit from 'junit-report-builder';
import { checkedText, evalState } from '../../core/evaluation/eval-check';
import { printable } from '../bench/printable';
import type { EvalResult } from './eval-command';

/** JUnit XML: a suite a bench, a case a check; a check that had nothing to check is skipped, never passed. */
export function junitXml(results: readonly EvalResult[]): string {
  const builder = junit.newBuilder();
  for (const { benchId, checks } of results) {
    const suite = builder.testSuite().name(benchId);
    for (const check of checks) {
      const { area, name, violations, notes } = check;
      const test = suite.testCase().className(`co-scientist.eval.${area}`).name(name);
      const state = evalState(check);
      if (state === 'nothing_to_check') test.skipped();
      if (state === 'failed') {
        const where = violations.map((it) => `${printable(it.subject)}: ${printable(it.message)}`).join('\n');
        test.failure(`${violations.length} wrong`, 'violation').standardError(where);
      }
      test.standardOutput([checkedText(check), ...notes].map(printable).join('; '));
    }
  }
  return builder.build();
}
