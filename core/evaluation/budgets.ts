import { compareText } from '../compare-text';
import { benchScope, judgeScope } from '../ids';
import { formatModelRef } from '../model-ref';
import { OUTPUT_CAPS } from '../output-caps';
import { callBoundUsd, sumUsd } from '../prices';
import { callsOfScope } from '../report/costs';
import { countText } from '../report/figure-text';
import type { RecordedBench, RecordedBudget, RecordedCall } from '../report/recorded-bench';
import { usedPrices } from '../report/versions';
import type { EvalCheck, EvalViolation } from './eval-check';

/** No call went out that did not fit: at every moment, what a scope held and the next call's bound were within its cap. */
export function checkCaps({ budgets, calls }: RecordedBench): EvalCheck {
  const capped = budgets.filter(({ capUsd }) => capUsd !== null);
  const violations: EvalViolation[] = [];
  let checked = 0;
  for (const budget of capped) {
    const own = callsOfScope(calls, budget.id);
    checked += own.length;
    violations.push(...overCap(budget, own), ...wronglyHeld(budget, own));
  }
  return { area: 'generation', name: 'caps', unit: 'calls', checked, violations, notes: [] };
}

/** Replays a scope: a call holds its bound when it goes out, and what it is charged from when it ends. */
function overCap({ id, capUsd }: RecordedBudget, calls: readonly RecordedCall[]): EvalViolation[] {
  const steps = calls.flatMap((call) => [
    { at: call.sentAt, isStart: true, usd: call.boundUsd, call },
    ...(call.endedAt === null
      ? []
      : [{ at: call.endedAt, isStart: false, usd: call.chargedUsd - call.boundUsd, call }]),
  ]);
  // At the same microsecond, who frees room comes first.
  steps.sort((one, other) => compareText(one.at, other.at) || Number(one.isStart) - Number(other.isStart));
  const violations: EvalViolation[] = [];
  let heldUsd = 0;
  for (const { isStart, usd, call } of steps) {
    if (isStart && sumUsd([heldUsd, usd]) > capUsd!) {
      const message = `was sent with ${id} holding $${heldUsd}: with its bound of $${usd} over the cap of $${capUsd}`;
      violations.push({ subject: `${call.key}#${call.attempt}`, message });
    }
    heldUsd = sumUsd([heldUsd, usd]);
  }
  return violations;
}

function wronglyHeld({ id, heldUsd }: RecordedBudget, calls: readonly RecordedCall[]): EvalViolation[] {
  const sum = sumUsd(calls.map(({ chargedUsd }) => chargedUsd));
  return sum === heldUsd
    ? []
    : [{ subject: id, message: `holds $${heldUsd}; its calls are charged $${sum}` }];
}

/**
 * `BudgetExceeded` came where it had to, and not before: a slot that ended over budget has a full scope, and a scope that
 * refused a call had less room left than the next call could cost.
 */
export function checkRefusals(bench: RecordedBench): EvalCheck {
  const full = bench.budgets.filter(
    ({ exceededCapUsd, closedBy }) => exceededCapUsd !== null || closedBy !== null,
  );
  const slots = bench.hypotheses.filter(({ state }) => state === 'over_budget');
  const isFull = new Set(full.map(({ id }) => id));
  const violations = [
    ...full.flatMap((scope) => tooEarly(scope, bench)),
    ...slots
      .filter(({ candidateId }) => !isFull.has(candidateId) && !isFull.has(benchScope(bench.run.benchId)))
      .map(({ id }) => ({ subject: id, message: 'ended over budget, and no budget of its was exceeded' })),
  ];
  const notes = slots.length > 0 ? [`${countText(slots.length, 'slot')} ended over budget`] : [];
  const checked = full.length + slots.length;
  return { area: 'generation', name: 'budget-exceeded', unit: 'refusals', checked, violations, notes };
}

function tooEarly(scope: RecordedBudget, bench: RecordedBench): EvalViolation[] {
  const { id, exceededCapUsd, heldUsd, closedBy } = scope;
  if (closedBy !== null || exceededCapUsd === null) return closedTooEarly(scope, bench);
  // What is held now is at least what was held then: calls in flight are not refused for.
  const roomUsd = sumUsd([exceededCapUsd, -heldUsd]);
  const dearestUsd = dearestCallUsd(id, bench);
  if (roomUsd < dearestUsd) return [];
  const message = `refused a call with at least $${roomUsd} of $${exceededCapUsd} left; the dearest costs at most $${dearestUsd}`;
  return [{ subject: id, message }];
}

/** A scope closes only when a call has cost more than its bound. */
function closedTooEarly({ id, closedBy }: RecordedBudget, { calls }: RecordedBench): EvalViolation[] {
  const isOverrun = calls.some(({ key, overrunUsd }) => key === closedBy && (overrunUsd ?? 0) > 0);
  if (closedBy === null || isOverrun) return [];
  return [{ subject: id, message: `is closed by ${closedBy}, which cost no more than its bound` }];
}

/**
 * More than any next call of the scope could be bounded at: a request of twice the longest seen and all tool answers of a
 * slot, a token a byte, at the dearest of its models. The refused request itself stands nowhere.
 */
function dearestCallUsd(scopeId: string, bench: RecordedBench): number {
  const { run, calls, hypotheses } = bench;
  const own = callsOfScope(calls, scopeId);
  const longest = Math.max(0, ...(own.length > 0 ? own : calls).map(({ requestBytes }) => requestBytes));
  const answers = hypotheses
    .filter(({ candidateId }) => candidateId === scopeId || scopeId === benchScope(run.benchId))
    .map(({ toolCalls }) => toolCalls.reduce((sum, { answer }) => sum + 4 * (answer?.length ?? 0), 0));
  const prices = Object.entries(usedPrices(run.plan)).filter(([model]) =>
    modelsOf(scopeId, bench).includes(model),
  );
  const maxOutputTokens = Math.max(run.plan.generation.maxOutputTokens, ...Object.values(OUTPUT_CAPS));
  const requestBytes = 2 * longest + Math.max(0, ...answers);
  return Math.max(
    0,
    ...prices.map(([, price]) => callBoundUsd(price, { requestBytes, maxOutputTokens, tokensPerByte: null })),
  );
}

function modelsOf(scopeId: string, { run, candidates }: RecordedBench): string[] {
  const { judges, reviewer } = run.plan;
  const ofJudge = [...judges, ...(reviewer ? [reviewer] : [])].map(formatModelRef);
  if (scopeId === judgeScope(run.benchId)) return ofJudge;
  if (scopeId === benchScope(run.benchId)) return [...ofJudge, ...candidates.map(formatModelRef)];
  return candidates.filter(({ id }) => id === scopeId).map(formatModelRef);
}
