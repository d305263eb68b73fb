import type { WorkflowHandle } from '@temporalio/client';
import type { BenchInput } from '../../core/bench-input';

/** A bench whose histories are recorded, and what is done to it on the way. */
export interface Scenario {
  name: string;
  /** What it is recorded for. */
  shows: string;
  input: unknown;
  /** Plays it as the night of a nightly. */
  isNight?: boolean;
  /** Has a judge score its work once it has ended, in a workflow beside it. */
  isScored?: boolean;
  /** Where the server suggests a new run after some 60 events rather than 4,096. */
  isShortOfHistory?: boolean;
  /** What happens to it meanwhile. */
  act?(bench: WorkflowHandle, when: Meanwhile): Promise<void>;
}

/** Waits for what the bench's rows say. */
export interface Meanwhile {
  /** Until so many calls of a kind are in a state. */
  calls(kind: string, state: string, n: number): Promise<void>;
  /** Until the bench, or a part of it, says why it holds. */
  held(): Promise<void>;
  state(state: string): Promise<void>;
  /** Resets a workflow with Temporal's CLI. */
  reset(type: string): Promise<void>;
}

const INPUT: BenchInput = {
  goal: 'Find a drug for a disease that has none.',
  candidates: ['one=sim:alder@direct', 'two=sim:elm@direct'],
  judge: 'sim:referee',
  goldSet: 'aml-repurposing-paper-5',
  n: 2,
  matches: 3,
  probe: false,
};
const SLOW: BenchInput = {
  ...INPUT,
  candidates: ['one=sim:alder,latency=300@direct', 'two=sim:elm,latency=1500@direct'],
  judge: 'sim:referee,latency=300',
  matches: 6,
  maxInFlight: 2,
};

function held(name: string, shows: string): Scenario {
  return {
    name,
    shows,
    input: { ...INPUT, judge: 'sim:referee,fail=refused:0.5', matches: 20, maxInFlight: 4, reviewer: 'none' },
    act: async (bench, when) => {
      await when.held();
      await bench.signal('unpause');
    },
  };
}

export const SCENARIOS: Scenario[] = [
  { name: 'finished', shows: 'a bench with its probes, start to end', input: { ...INPUT, probe: true } },
  { name: 'repaired', shows: 'slots of several turns, some of which fail', input: repairedInput() },
  { name: 'unrated', shows: 'no match, no gold set', input: { ...INPUT, matches: 0, goldSet: 'none' } },
  {
    name: 'judged-otherwise',
    shows: 'two runs, a panel that debates, each judge in one order, half of it again',
    input: {
      ...INPUT,
      ...{ judge: ['sim:referee', 'sim:coin'], verdictMode: 'debate', debateTurns: 1, orders: 'balanced' },
      ...{ repeatShare: 0.5, replicates: 2, n: 1, matches: 2 },
    },
  },
  { name: 'refused', shows: 'an input with problems', input: { ...INPUT, n: 0 } },
  {
    name: 'unavailable',
    shows: 'a bench that fails before it begins',
    input: { ...INPUT, judge: 'openai-compatible:nobody', prices: free('openai-compatible:nobody') },
  },
  { name: 'over-budget', shows: "a judge's cap that bites", input: { ...INPUT, matches: 8, judgeBudgetUsd: 0.06 } },
  {
    name: 'cancelled',
    shows: 'a cancellation with calls in flight',
    input: SLOW,
    act: async (bench, when) => {
      await when.calls('judge', 'settled', 4);
      await bench.cancel();
    },
  },
  {
    name: 'cancelled-early',
    shows: 'a cancellation while candidates are at work',
    input: SLOW,
    act: async (bench, when) => {
      await when.calls('generation', 'sent', 2);
      await bench.cancel();
    },
  },
  {
    name: 'paused',
    shows: 'pauses while generating and while judging',
    input: SLOW,
    act: async (bench, when) => {
      await when.calls('generation', 'sent', 2);
      await bench.signal('pause');
      await when.calls('generation', 'settled', 4);
      await when.state('paused');
      await bench.signal('unpause');
      await when.calls('judge', 'settled', 2);
      await bench.signal('pause');
      await when.state('paused');
      await bench.signal('unpause');
    },
  },
  held('held', 'a judge that gives too few verdicts, until unpaused'),
  held('held-at-once', 'the same: nothing begins from the moment it holds'),
  { name: 'debated', shows: 'an activity an argument', input: { ...INPUT, verdictMode: 'debate', n: 1, matches: 2 } },
  {
    name: 'changed',
    shows: 'updates: a cap raised, a candidate dropped',
    input: { ...SLOW, candidates: [...(SLOW.candidates ?? []), 'three=sim:fir,latency=20000@direct'] },
    act: async (bench, when) => {
      await when.calls('generation', 'settled', 2);
      await bench.executeUpdate('raiseBudget', { args: [{ scope: 'judge', capUsd: 9 }] });
      await bench.executeUpdate('drop', { args: ['three'] });
    },
  },
  {
    name: 'reset',
    shows: 'a reset after its children had begun',
    input: SLOW,
    act: async (_, when) => {
      await when.calls('judge', 'settled', 3);
      await when.reset('LastWorkflowTask');
    },
  },
  { name: 'night', shows: 'the first night of a nightly', input: INPUT, isNight: true },
  {
    name: 'continued',
    shows: 'runs continued as new, of candidates and of the tournament',
    input: { ...INPUT, n: 30, matches: 60, maxInFlight: 8 },
    isShortOfHistory: true,
  },
  {
    name: 'debated-continued',
    shows: 'debates that are counted whole, over runs continued as new',
    input: { ...INPUT, verdictMode: 'debate', debateTurns: 3, matches: 4, maxInFlight: 2, reviewer: 'none' },
    isShortOfHistory: true,
  },
  { name: 'scored', shows: 'a judge’s scores for the work of a bench', input: INPUT, isScored: true },
];

function repairedInput(): BenchInput {
  return {
    ...INPUT,
    candidates: ['one=sim:alder,fail=truncated:0.4@direct', 'two=sim:elm,fail=no_call:0.4@direct'],
    n: 5,
    generation: { maxTurns: 4 },
  };
}

function free(model: string): BenchInput['prices'] {
  return { [model]: { inputUsdPerMTok: 0, outputUsdPerMTok: 0 } };
}
