import {
  allHandlersFinished,
  condition,
  continueAsNew,
  defineQuery,
  defineSignal,
  setCurrentDetails,
  setHandler,
} from '@temporalio/workflow';
import type { BenchRef } from '../activities/activity-deps';
import type { VerdictInput } from '../activities/hear-debate';
import type { WaitingMatch } from '../activities/tournament-rows';
import { type AskedVerdict, askedVerdicts } from '../core/asked-verdicts';
import type { OnJudgeCap } from '../core/bench-input';
import { modelActivities, rowActivities } from './activity-options';
import { debateEvents } from './debate-events';
import { isBudgetExceeded } from './failure-kinds';
import { PauseGate } from './pause-gate';
import { isHistoryFull, Window } from './window';

export interface TournamentInput extends BenchRef {
  judges: { provider: string }[];
  maxInFlight: number;
  heartbeatMs: number;
  onJudgeCap: OnJudgeCap;
  /** Some verdicts are asked for again, once all that count are there. */
  hasRepeats?: boolean;
  /** Before each verdict, both sides together; left out without a debate, and by benches begun before it was asked. */
  argumentTurns?: number;
  /** In place of `maxInFlight` where there are debates; left out by tournaments begun before their events were counted. */
  debatesInFlight?: number;
  isPaused: boolean;
  progress: TournamentProgress;
}

export interface TournamentProgress {
  /** Index of the last match whose verdicts were asked for; −1: none yet. */
  lastIndex: number;
  verdicts: number;
  invalid: number;
  matches: number | null;
  /** Whether so many verdicts were invalid that the tournament has held once. */
  hasHeld: boolean;
  /** Matches were passed by for want of money: they wait still. */
  hasMissed: boolean;
  /** Index of the last match whose verdicts were asked for again; left out before the first. */
  lastRepeated?: number;
}

export const capRaisedSignal = defineSignal('capRaised');

const BATCH = 200;

/** Every match in all the orders it is to be judged in, a window of verdicts in flight; the schedule stands in rows. */
export async function tournament(input: TournamentInput): Promise<TournamentProgress> {
  const gate = new PauseGate(input.isPaused);
  const progress = { ...input.progress };
  const desk: Desk = { input, gate, progress, isOverBudget: false };
  setHandler(defineQuery<TournamentProgress>('progress'), () => progress, {
    description: 'Verdicts so far, of all matches.',
  });
  setHandler(
    capRaisedSignal,
    () => {
      desk.isOverBudget = false;
    },
    { description: 'A cap was raised: a tournament that waits for that goes on.' },
  );
  const { benchId, epoch } = input;
  progress.matches ??= await rowActivities().openTournament({ benchId, epoch });
  for (;;) {
    await judgeWaitingMatches(desk);
    if (input.hasRepeats && !desk.isOverBudget) await repeatVerdicts(desk);
    if (!progress.hasMissed || (desk.isOverBudget && input.onJudgeCap === 'end')) break;
    if (desk.isOverBudget) await waitForMoney(desk);
    progress.hasMissed = false;
    progress.lastIndex = -1;
    delete progress.lastRepeated;
  }
  const reason = desk.isOverBudget ? 'over_budget' : 'no_verdict';
  await rowActivities().closeTournament({ benchId, epoch, reason });
  return progress;
}

/** Until a cap is raised, or a while has passed: calls that were in doubt may have settled. */
async function waitForMoney(desk: Desk): Promise<void> {
  const { benchId, epoch } = desk.input;
  const reason = 'the judge is over its cap (raise-budget goes on)';
  await rowActivities().markHold({ benchId, epoch, candidateId: null, reason });
  setCurrentDetails(`Held: ${reason}.`);
  await condition(() => !desk.isOverBudget, '10 minutes');
  desk.isOverBudget = false;
  await rowActivities().markHold({ benchId, epoch, candidateId: null, reason: null });
}

interface Desk {
  input: TournamentInput;
  gate: PauseGate;
  progress: TournamentProgress;
  /** The judge cannot be paid now. */
  isOverBudget: boolean;
}

/** Goes through the matches that wait, in schedule order, until none is left or the judge cannot be paid. */
async function judgeWaitingMatches(desk: Desk): Promise<void> {
  const { benchId, epoch } = desk.input;
  await Window.open(inFlightOf(desk.input), async (window) => {
    for (;;) {
      const place = { afterIndex: desk.progress.lastIndex, limit: BATCH };
      const batch = await rowActivities().readWaitingMatches({ benchId, epoch, ...place });
      for (const match of batch) {
        if (desk.isOverBudget) break;
        if (isHistoryFull(eventsOfDebates(desk.input))) await startAnew(desk, window);
        await judgeMatch(desk, window, match);
      }
      if (batch.length < BATCH || desk.isOverBudget) break;
    }
  });
}

/** Asks again, in the same order, for verdicts of played matches: last, so that no money for the ratings goes there. */
async function repeatVerdicts(desk: Desk): Promise<void> {
  const { benchId, epoch, judges } = desk.input;
  await Window.open(inFlightOf(desk.input), async (window) => {
    for (;;) {
      const place = { afterIndex: desk.progress.lastRepeated ?? -1, limit: BATCH };
      const batch = await rowActivities().readWaitingRepeats({ benchId, epoch, ...place });
      for (const match of batch) {
        if (desk.isOverBudget) break;
        if (isHistoryFull(eventsOfDebates(desk.input))) await startAnew(desk, window);
        for (const asked of askedVerdicts(judges.length, match.oneOrder ?? null)) {
          await window.start(async () => {
            await desk.gate.pass();
            await judgeOrder(desk, match, asked, REPEAT);
          });
        }
        desk.progress.lastRepeated = match.index;
      }
      if (batch.length < BATCH || desk.isOverBudget) break;
    }
  });
}

/** Of the first, and so far the only, time that a verdict is asked for again. */
const REPEAT = 1;

async function startAnew({ input, gate, progress }: Desk, window: Window): Promise<never> {
  await window.drain();
  await condition(allHandlersFinished);
  return continueAsNew<typeof tournament>({ ...input, isPaused: gate.state, progress });
}

async function judgeMatch(desk: Desk, window: Window, match: WaitingMatch): Promise<void> {
  for (const asked of askedVerdicts(desk.input.judges.length, match.oneOrder ?? null)) {
    await window.start(async () => {
      await desk.gate.pass();
      await judgeOrder(desk, match, asked);
    });
  }
  desk.progress.lastIndex = match.index;
  const { verdicts, invalid, matches } = desk.progress;
  setCurrentDetails(`${verdicts} verdicts, ${invalid} invalid; at match ${match.index} of ${matches}`);
}

async function judgeOrder(
  desk: Desk,
  match: WaitingMatch,
  { judge, order }: AskedVerdict,
  repeat = 0,
): Promise<void> {
  const { benchId, epoch, judges, heartbeatMs } = desk.input;
  const provider = judges[judge]?.provider ?? '';
  const again = repeat > 0 ? { repeat } : {};
  const place = `match ${match.index} ${order}${repeat > 0 ? ' again' : ''}`;
  const asked = { benchId, epoch, matchId: match.id, order, judge, ...again };
  try {
    // Nothing is awaited where nobody argues: histories without a debate keep the order of their commands.
    if (desk.input.argumentTurns) await argue(desk, provider, place, asked);
    const state = await modelActivities(provider, heartbeatMs, place).judgeVerdict(asked);
    if (state === 'skipped') return;
    desk.progress.verdicts += 1;
    if (state === 'invalid') desk.progress.invalid += 1;
  } catch (error) {
    if (!isBudgetExceeded(error)) throw error;
    desk.isOverBudget = true;
    desk.progress.hasMissed = true;
  }
  await holdIfUseless(desk);
}

/** The debate before a verdict, an activity an argument. One that breaks off is for the verdict to tell. */
async function argue(desk: Desk, provider: string, place: string, asked: VerdictInput): Promise<void> {
  const { argumentTurns = 0, heartbeatMs } = desk.input;
  for (let turn = 1; turn <= argumentTurns; turn += 1) {
    if (turn > 1) await desk.gate.pass();
    const model = modelActivities(provider, heartbeatMs, `${place}, argument ${turn} of ${argumentTurns}`);
    if ((await model.argueTurn({ ...asked, turn })) !== 'argued') return;
  }
}

function inFlightOf({ debatesInFlight, maxInFlight }: TournamentInput): number {
  return debatesInFlight ?? maxInFlight;
}

/** As tournaments begun before `debatesInFlight` reckon: too few, but they have to go on as they began. */
const EVENTS_PER_ARGUMENT_BEFORE = 4;

/** What the debates in flight may still add to the history. */
function eventsOfDebates({
  argumentTurns = 0,
  debatesInFlight,
  maxInFlight,
  judges,
}: TournamentInput): number {
  if (debatesInFlight === undefined) return argumentTurns * maxInFlight * EVENTS_PER_ARGUMENT_BEFORE;
  return debateEvents({ argumentTurns, judges: judges.length }, debatesInFlight);
}

const FIRST_VERDICTS = 20;
const MAX_INVALID_SHARE = 0.2;

/** Holds once, before more is paid, when over a fifth of the judge's first verdicts were invalid. */
async function holdIfUseless({ input, gate, progress }: Desk): Promise<void> {
  const { verdicts, invalid, lastIndex, matches } = progress;
  const isLast = lastIndex + 1 >= (matches ?? 0);
  if (isLast || progress.hasHeld || verdicts < FIRST_VERDICTS || invalid <= MAX_INVALID_SHARE * verdicts)
    return;
  progress.hasHeld = true;
  const { benchId, epoch } = input;
  const reason = `${invalid} of the first ${verdicts} verdicts were invalid`;
  await gate.hold(async () => {
    await rowActivities().markHold({ benchId, epoch, candidateId: null, reason });
    setCurrentDetails(`Held: ${reason}. Unpause to go on, or cancel.`);
  });
  await rowActivities().markHold({ benchId, epoch, candidateId: null, reason: null });
}
