import type { BenchInput } from '../core/bench-input';
import type { BenchPlan } from '../core/bench-plan';
import { isJsonObject } from '../core/json-object';
import { planBench } from '../core/plan-bench';
import { catalogue } from '../presets';
import { checkBenchInput } from './bench-input-schema';
import { KNOWN_PROVIDERS } from './providers';

/**
 * Checks an input's shape and plans it. Fields of a wrong shape are set aside so that the rest is planned too: one
 * answer lists everything that is wrong.
 */
export function planInput(value: unknown): { input: BenchInput; plan: BenchPlan } | { problems: string[] } {
  const checked = checkBenchInput(value);
  if ('input' in checked) {
    const result = planBench(checked.input, catalogue(KNOWN_PROVIDERS));
    return 'plan' in result ? { input: checked.input, plan: result.plan } : result;
  }
  const rest = checkBenchInput(withoutFields(value, checked.fields));
  const planned = 'input' in rest ? planBench(rest.input, catalogue(KNOWN_PROVIDERS)) : { problems: [] };
  const others = 'problems' in planned ? planned.problems : [];
  return {
    problems: [
      ...checked.problems,
      ...others.filter((problem) => !checked.fields.some((field) => problem.startsWith(field))),
    ],
  };
}

function withoutFields(value: unknown, fields: string[]): unknown {
  if (!isJsonObject(value)) return {};
  return Object.fromEntries(Object.entries(value).filter(([key]) => !fields.includes(key)));
}
