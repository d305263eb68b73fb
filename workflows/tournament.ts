import {
  allHandlersFinished,
  condition,
  continueAsNew,
  defineQuery,
  setCurrentDetails,
  setHandler,
} from '@temporalio/workflow';
import type { BenchRef } from '../activities/activity-deps';
import type { WaitingMatch } from '../activities/tournament-rows';
import { ORDERS } from '../core/ids';
import { modelActivities, rowActivities } from './activity-options';
import { isBudgetExceeded } from './failure-kinds';
import { PauseGate } from './pause-gate';
import { isHistoryFull, Window } from './window';

export interface TournamentInput extends BenchRef {
  judges: { provider: string }[];
  maxInFlight: number;
  isPaused: boolean;
  progress: TournamentProgress;
}

export interface TournamentProgress {
  /** Index of the last match whose verdicts were asked for; −1: none yet. */
  lastIndex: number;
  verdicts: number;
  invalid: number;
  matches: number | null;
}

const BATCH = 200;

/** Every match in both orders, a window of verdicts in flight; the schedule stands in rows. */
export async function tournament(input: TournamentInput): Promise<TournamentProgress> {
  const gate = new PauseGate(input.isPaused);
  const progress = { ...input.progress };
  setHandler(defineQuery<TournamentProgress>('progress'), () => progress, {
    description: 'Verdicts so far, of all matches.',
  });
  const { benchId, epoch } = input;
  const rows = rowActivities();
  progress.matches ??= await rows.openTournament({ benchId, epoch });
  const window = new Window(input.maxInFlight);
  const desk: Desk = { input, window, progress, isOverBudget: false };
  for (;;) {
    const batch = await rows.readWaitingMatches({
      benchId,
      epoch,
      afterIndex: progress.lastIndex,
      limit: BATCH,
    });
    for (const match of batch) {
      await gate.pass();
      if (isHistoryFull()) await startAnew(desk, gate);
      if (desk.isOverBudget) break;
      await judgeMatch(desk, match);
    }
    if (batch.length < BATCH || desk.isOverBudget) break;
  }
  await window.drain();
  await rows.closeTournament({ benchId, epoch, reason: desk.isOverBudget ? 'over_budget' : 'no_verdict' });
  return progress;
}

interface Desk {
  input: TournamentInput;
  window: Window;
  progress: TournamentProgress;
  isOverBudget: boolean;
}

async function startAnew({ input, window, progress }: Desk, gate: PauseGate): Promise<never> {
  await window.drain();
  await condition(allHandlersFinished);
  return continueAsNew<typeof tournament>({ ...input, isPaused: gate.state, progress });
}

async function judgeMatch(desk: Desk, match: WaitingMatch): Promise<void> {
  const { input, window, progress } = desk;
  const { benchId, epoch } = input;
  for (const [judge, { provider }] of input.judges.entries()) {
    for (const order of ORDERS) {
      await window.start(async () => {
        try {
          const state = await modelActivities(provider, `match ${match.index} ${order}`).judgeVerdict({
            benchId,
            epoch,
            matchId: match.id,
            order,
            judge,
          });
          progress.verdicts += 1;
          if (state === 'invalid') progress.invalid += 1;
        } catch (error) {
          if (!isBudgetExceeded(error)) throw error;
          desk.isOverBudget = true;
        }
      });
    }
  }
  progress.lastIndex = match.index;
  setCurrentDetails(
    `${progress.verdicts} verdicts, ${progress.invalid} invalid; match ${match.index} of ${progress.matches}`,
  );
}
