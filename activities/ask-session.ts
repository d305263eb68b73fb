import type { BenchPlan, PlannedModel } from '../core/bench-plan';
import { BrokenInvariant } from '../core/broken-invariant';
import { benchScope, candidateId, candidateScope, judgeScope, sessionKey } from '../core/ids';
import { formatModelRef } from '../core/model-ref';
import { OUTPUT_CAPS } from '../core/output-caps';
import type { PredictionStatus } from '../core/scipivot/score';
import { readOwnedBench } from '../db/benches';
import { readAttempts } from '../db/ledger-reads';
import { type OpenSession, readOpenSession, saveSession } from '../db/scipivot';
import { writeAsOwner } from '../db/write-as-owner';
import type { ActivityDeps, BenchRef } from './activity-deps';
import { type PaidAnswer, paidCall } from './paid-call';
import type { CompletionRequest } from './providers/provider';
import { sessionOutcome } from './session-outcome';

export interface SessionInput extends BenchRef {
  /** A candidate's label, or a judge as `provider:model`. */
  subject: string;
  /** Of the prompt in its data set. */
  position: number;
}

/**
 * Holds one session: one case in one order, shown to a model that remembers no other. However the answer reads, it is
 * the only one ever asked for.
 */
export function createAskSession(deps: ActivityDeps) {
  return async function askSession(input: SessionInput): Promise<PredictionStatus> {
    const { plan } = await readOwnedBench(deps.db, input);
    const session = await readOpenSession(deps.db, input);
    const key = sessionKey(input.benchId, session.subject, session.caseId, session.order);
    const model = findModel(plan, session);
    const answer = await paidCall(deps, {
      ...input,
      key,
      kind: 'scipivot',
      model,
      scopeIds: [scopeOf(input.benchId, session), benchScope(input.benchId)],
      request: buildRequest(plan, session, key.slice(input.benchId.length + 1)),
    });
    const outcome = sessionOutcome(answer, await lastFailure(deps, answer, key));
    const { benchId, subject, position, epoch } = input;
    const ended = { bench_id: benchId, subject, position, epoch, ...outcome, call_key: key };
    await writeAsOwner(deps.db, input, (tx) => saveSession(tx, ended));
    return outcome.status;
  };
}

function findModel(plan: BenchPlan, { role, subject }: OpenSession): PlannedModel {
  const model =
    role === 'candidate'
      ? plan.candidates.find(({ label }) => label === subject)
      : plan.judges.find((judge) => formatModelRef(judge) === subject);
  if (!model) throw new BrokenInvariant(`SciΠvot: the plan has no ${role} ${subject}`);
  return model;
}

function scopeOf(benchId: string, { role, subject }: OpenSession): string {
  return role === 'candidate' ? candidateScope(candidateId(benchId, subject)) : judgeScope(benchId);
}

/** The prompt is the whole request: no system text, no tools, no earlier turn. A judge does not think, as elsewhere. */
function buildRequest(
  plan: BenchPlan,
  { model, prompt, role }: OpenSession,
  drawKey: string,
): CompletionRequest {
  const thinking = role === 'candidate' ? plan.thinking : 'off';
  return {
    model,
    system: '',
    turns: [{ role: 'user', text: prompt }],
    tools: [],
    toolChoice: { kind: 'auto' },
    maxOutputTokens: OUTPUT_CAPS.scipivot + (thinking === 'off' ? 0 : thinking),
    thinking,
    draw: { seed: plan.seed, key: drawKey },
  };
}

async function lastFailure({ db }: ActivityDeps, answer: PaidAnswer, key: string) {
  if (answer.kind !== 'unanswered' || answer.reason !== 'attempts_exhausted') return null;
  return (await readAttempts(db, key)).at(-1)?.failureKind ?? null;
}
