import { BrokenInvariant } from '../core/broken-invariant';
import { type Speech, speakerOf } from '../core/debate';
import { benchScope, judgeScope, type Order, verdictKey } from '../core/ids';
import { formatModelRef } from '../core/model-ref';
import { BenchTakenOver } from '../db/benches';
import { readJudgedMatch } from '../db/judged-match';
import type { ActivityDeps, BenchRef } from './activity-deps';
import { type ForcedRecord, readForcedRecord } from './forced-record';
import type { FrozenPlans } from './frozen-plans';
import { type PaidAnswer, paidCall } from './paid-call';
import { checkArgument } from './record-schemas';
import { argumentRequest, type JudgedOrder, verdictRequest } from './verdict-request';

export interface VerdictInput extends BenchRef {
  matchId: string;
  order: Order;
  /** Position in the plan's judges. */
  judge: number;
  /** From 1: the same order asked again; left out, the verdict that counts. */
  repeat?: number;
}

/**
 * What a verdict, or an argument before it, is made from.
 * @throws BenchTakenOver when the bench has another owner by now
 */
export async function readJudgedOrder(
  { db }: ActivityDeps,
  plans: FrozenPlans,
  input: VerdictInput,
): Promise<JudgedOrder> {
  const [plan, judged] = await Promise.all([plans.read(input), readJudgedMatch(db, input.matchId)]);
  if (judged.epoch !== input.epoch) throw new BenchTakenOver(input.benchId, input.epoch, judged.epoch);
  const judge = plan.judges[input.judge];
  if (!judge) throw new BrokenInvariant(`${input.benchId}: no judge ${input.judge}`);
  return { plan, judge, judged, order: input.order };
}

export type HeardDebate =
  | { state: 'heard'; debate: Speech[] }
  | { state: 'broken_off'; callKey: string; verdict: Extract<ForcedRecord<never>, { state: 'invalid' }> };

/**
 * The first turns of a debate. Each is a call with a key of its own: what is settled is read, so whoever comes later
 * goes on where the last one ended. A debate that breaks off leaves no verdict.
 * @param turns how many, from the first; 0 without a debate
 */
export async function hearDebate(
  deps: ActivityDeps,
  input: VerdictInput,
  place: JudgedOrder,
  turns: number,
): Promise<HeardDebate> {
  const debate: Speech[] = [];
  for (let turn = 1; turn <= turns; turn += 1) {
    const key = turnKey(input, place, turn);
    const forced = readForcedRecord(await askJudge(deps, input, place, 'debate', key, debate), checkArgument);
    if (forced.state === 'invalid') {
      const detail = `debate turn ${turn}: ${forced.detail}`;
      return { state: 'broken_off', callKey: key, verdict: { ...forced, detail } };
    }
    debate.push({ speaker: speakerOf(turn), argument: forced.record.argument });
  }
  return { state: 'heard', debate };
}

/** The ledger's key of a turn, from 1; the verdict is the turn after the last argument. */
export function turnKey({ repeat }: VerdictInput, { judge, judged, order }: JudgedOrder, turn: number) {
  return verdictKey(judged.match.id, order, formatModelRef(judge), turn, repeat);
}

/** One turn of a judge, through the ledger. @throws what `paidCall` throws */
export async function askJudge(
  deps: ActivityDeps,
  { benchId, epoch }: VerdictInput,
  place: JudgedOrder,
  kind: 'debate' | 'judge',
  key: string,
  debate: readonly Speech[],
): Promise<PaidAnswer> {
  const request = kind === 'debate' ? argumentRequest : verdictRequest;
  return paidCall(deps, {
    benchId,
    epoch,
    key,
    kind,
    model: place.judge,
    scopeIds: [judgeScope(benchId), benchScope(benchId)],
    request: request(place, key, debate),
  });
}
