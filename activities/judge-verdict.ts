import { askedVerdicts } from '../core/asked-verdicts';
import { BrokenInvariant } from '../core/broken-invariant';
import { argumentTurns, type Speech, speakerOf } from '../core/debate';
import { benchScope, judgeScope, type Order, verdictKey } from '../core/ids';
import { formatModelRef } from '../core/model-ref';
import { outcomeOf } from '../core/outcome';
import { BenchTakenOver } from '../db/benches';
import { readJudgedMatch } from '../db/judged-match';
import { type StoredVerdict, saveVerdict } from '../db/matches';
import type { ActivityDeps, BenchRef } from './activity-deps';
import { readForcedRecord } from './forced-record';
import { FrozenPlans } from './frozen-plans';
import { type PaidAnswer, paidCall } from './paid-call';
import { checkArgument, checkVerdict } from './record-schemas';
import { argumentRequest, type JudgedOrder, verdictRequest } from './verdict-request';

export interface VerdictInput extends BenchRef {
  matchId: string;
  order: Order;
  /** Position in the plan's judges. */
  judge: number;
  /** From 1: the same order asked again; left out, the verdict that counts. */
  repeat?: number;
}

/** One judge's verdict on one order of a match. A verdict that cannot be had is stored as invalid, with its reason. */
export function createJudgeVerdict(deps: ActivityDeps) {
  const plans = new FrozenPlans(deps.db);
  return async function judgeVerdict(input: VerdictInput): Promise<'valid' | 'invalid' | 'skipped'> {
    const [plan, judged] = await Promise.all([plans.read(input), readJudgedMatch(deps.db, input.matchId)]);
    const { match, epoch } = judged;
    if (epoch !== input.epoch) throw new BenchTakenOver(input.benchId, input.epoch, epoch);
    const judge = plan.judges[input.judge];
    if (!judge) throw new BrokenInvariant(`${input.benchId}: no judge ${input.judge}`);
    if (match.state === 'unplayed') return 'skipped'; // a candidate was dropped since it was handed out
    const place: JudgedOrder = { plan, judge, judged, order: input.order };
    const heard = await hearVerdict(deps, input, place);
    const decided = await saveVerdict(
      deps.db,
      {
        matchId: match.id,
        order: input.order,
        judge: formatModelRef(judge),
        repeat: input.repeat ?? 0,
        benchId: match.benchId,
        epoch: input.epoch,
        ...heard,
      },
      {
        judges: plan.judges.map(formatModelRef),
        asked: askedVerdicts(plan.judges.length, match.oneOrder),
      },
      outcomeOf,
    );
    const { verdict } = heard;
    deps.observer?.verdictGiven({
      ...{ benchId: match.benchId, matchId: match.id, state: verdict.state, match: decided },
      reason: verdict.state === 'invalid' ? verdict.reason : null,
    });
    return verdict.state;
  };
}

type Heard = Pick<StoredVerdict, 'callKey' | 'verdict'>;

/**
 * The debate, where there is one, turn by turn, then the verdict. Each is a call with a key of its own: what is settled
 * is read, so a retry goes on where the last try ended. A debate that breaks off leaves no verdict.
 */
async function hearVerdict(deps: ActivityDeps, input: VerdictInput, place: JudgedOrder): Promise<Heard> {
  const { plan, judge, judged, order } = place;
  const keyOf = (turn: number) =>
    verdictKey(judged.match.id, order, formatModelRef(judge), turn, input.repeat);
  const turns = argumentTurns(plan);
  const debate: Speech[] = [];
  for (let turn = 1; turn <= turns; turn += 1) {
    const key = keyOf(turn);
    const answer = await ask(deps, input, place, 'debate', key, debate);
    const forced = readForcedRecord(answer, checkArgument);
    if (forced.state === 'invalid') {
      return { callKey: key, verdict: { ...forced, detail: `debate turn ${turn}: ${forced.detail}` } };
    }
    debate.push({ speaker: speakerOf(turn), argument: forced.record.argument });
  }
  const key = keyOf(turns + 1);
  const forced = readForcedRecord(await ask(deps, input, place, 'judge', key, debate), checkVerdict);
  return {
    callKey: key,
    verdict: forced.state === 'valid' ? { state: 'valid', ...forced.record } : forced,
  };
}

async function ask(
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
