import { askedVerdicts } from '../core/asked-verdicts';
import { argumentTurns } from '../core/debate';
import { formatModelRef } from '../core/model-ref';
import { type StoredVerdict, saveVerdict } from '../db/verdicts';
import type { ActivityDeps } from './activity-deps';
import { readForcedRecord } from './forced-record';
import { FrozenPlans } from './frozen-plans';
import { askJudge, hearDebate, readJudgedOrder, turnKey, type VerdictInput } from './hear-debate';
import { checkVerdict } from './record-schemas';
import type { JudgedOrder } from './verdict-request';

/** One judge's verdict on one order of a match. A verdict that cannot be had is stored as invalid, with its reason. */
export function createJudgeVerdict(deps: ActivityDeps) {
  const plans = new FrozenPlans(deps.db);
  return async function judgeVerdict(input: VerdictInput): Promise<'valid' | 'invalid' | 'skipped'> {
    const place = await readJudgedOrder(deps, plans, input);
    const { plan, judge } = place;
    const { match } = place.judged;
    if (match.state === 'unplayed') return 'skipped'; // a candidate was dropped since it was handed out
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

/** The verdict on the debate, where there is one: `argueTurn` has had its arguments settled, so they are read here. */
async function hearVerdict(deps: ActivityDeps, input: VerdictInput, place: JudgedOrder): Promise<Heard> {
  const turns = argumentTurns(place.plan);
  const heard = await hearDebate(deps, input, place, turns);
  if (heard.state === 'broken_off') return { callKey: heard.callKey, verdict: heard.verdict };
  const key = turnKey(input, place, turns + 1);
  const forced = readForcedRecord(
    await askJudge(deps, input, place, 'judge', key, heard.debate),
    checkVerdict,
  );
  return {
    callKey: key,
    verdict: forced.state === 'valid' ? { state: 'valid', ...forced.record } : forced,
  };
}
