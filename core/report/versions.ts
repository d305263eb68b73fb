import type { BenchPlan } from '../bench-plan';
import { compareText } from '../compare-text';
import { formatModelRef } from '../model-ref';
import type { ModelPrice } from '../prices';
import type { RecordedCall } from './recorded-bench';

/** The names that each model's answers gave, by `provider:model`, all in the order of their names. */
export function reportedModels(calls: readonly RecordedCall[]): Record<string, string[]> {
  const names = new Map<string, Set<string>>();
  for (const call of calls) {
    if (call.reportedModel === null) continue;
    const asked = formatModelRef(call);
    names.set(asked, (names.get(asked) ?? new Set()).add(call.reportedModel));
  }
  return Object.fromEntries(
    [...names]
      .sort(([one], [other]) => compareText(one, other))
      .map(([asked, reported]) => [asked, [...reported].sort(compareText)]),
  );
}

/** The price of each model that the plan names, by `provider:model`. */
export function usedPrices(plan: BenchPlan): Record<string, ModelPrice> {
  const models = [...plan.candidates, ...plan.judges, ...(plan.reviewer ? [plan.reviewer] : [])];
  const prices = new Map(models.map((model) => [formatModelRef(model), model.price]));
  return Object.fromEntries([...prices].sort(([one], [other]) => compareText(one, other)));
}
