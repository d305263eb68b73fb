import { ApplicationFailure } from '@temporalio/common';
import { benchScope, candidateId, judgeScope } from '../core/ids';
import { MAX_CAP_USD } from '../core/planned-settings';
import { dropCandidateRows, readCandidates } from '../db/candidates';
import { raiseBudget } from '../db/ledger';
import { writeAsOwner } from '../db/write-as-owner';
import type { ActivityDeps, BenchRef } from './activity-deps';

export interface RaiseBudgetRequest {
  /** `judge`, `bench`, or a candidate's label. */
  scope: string;
  capUsd: number;
}

/**
 * Raises a cap. What it had closed opens when its candidate is taken up again: at once while the bench generates, later
 * by `resume`; a judge's matches by `resume`, or by waiting for this.
 */
export function createRaiseBudget({ db }: ActivityDeps) {
  return async function raiseBenchBudget(input: BenchRef & RaiseBudgetRequest): Promise<void> {
    const labels = (await readCandidates(db, input.benchId)).map((candidate) => candidate.label);
    const scopeId = scopeIdOf(input.benchId, input.scope, labels);
    if (scopeId === null)
      throw refusal(`no scope ${input.scope} (known: judge, bench, ${labels.join(', ')})`);
    if (!(input.capUsd > 0 && input.capUsd <= MAX_CAP_USD)) {
      throw refusal(`capUsd: ${input.capUsd} is no cap (above 0, at most ${MAX_CAP_USD})`);
    }
    if (!(await writeAsOwner(db, input, (tx) => raiseBudget(tx, scopeId, input.capUsd)))) {
      throw refusal(`${input.scope}: its cap is higher than $${input.capUsd}, or it has none`);
    }
  };
}

/** In an old bench a candidate may be called `judge` or `bench`: it wins over these words. */
export function scopeIdOf(benchId: string, scope: string, labels: readonly string[]): string | null {
  if (labels.includes(scope)) return candidateId(benchId, scope);
  if (scope === 'judge') return judgeScope(benchId);
  return scope === 'bench' ? benchScope(benchId) : null;
}

/** Takes a candidate out for good: its open slots fail as dropped, its waiting matches stay unplayed. */
export function createDropCandidate({ db }: ActivityDeps) {
  return async function dropCandidate(input: BenchRef & { label: string }): Promise<string> {
    const candidates = await readCandidates(db, input.benchId);
    const candidate = candidates.find(({ label }) => label === input.label);
    if (!candidate) {
      throw refusal(
        `no candidate ${input.label} (known: ${candidates.map(({ label }) => label).join(', ')})`,
      );
    }
    await writeAsOwner(db, input, (tx) => dropCandidateRows(tx, candidate.id));
    return candidate.id;
  };
}

function refusal(message: string): ApplicationFailure {
  return ApplicationFailure.create({ type: 'InvalidChange', message, nonRetryable: true });
}
