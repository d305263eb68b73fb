import type { BenchPlan } from '../core/bench-plan';
import { scheduleBench } from '../core/bench-schedule';
import { hypothesisId, type Order } from '../core/ids';
import { readOwnedBench } from '../db/benches';
import { type CandidateRow, readCandidates } from '../db/candidates';
import type { Database } from '../db/database';
import {
  closePlannedMatches,
  openMatches,
  type PlannedMatch,
  readPlannedMatches,
  readRepeatedMatches,
  saveSchedule,
  type WaitingRow,
} from '../db/matches';
import { findNight, readBaseline } from '../db/nightlies';
import { writeAsOwner } from '../db/write-as-owner';
import type { ActivityDeps, BenchRef } from './activity-deps';
import { nightMatches } from './night-matches';

/** A match that waits to be judged. */
export interface WaitingMatch {
  id: string;
  index: number;
  /** Judged in one order only: the one its first judge is shown. */
  oneOrder?: Order;
}

/** Writes the schedule once, over planned slots; then lets in the hypotheses that there are. */
export function createOpenTournament(deps: ActivityDeps) {
  return async function openTournament(input: BenchRef): Promise<number> {
    const { plan } = await readOwnedBench(deps.db, input);
    const candidates = await readCandidates(deps.db, input.benchId);
    const night = await findNight(deps.db, input.benchId);
    const panel =
      night?.kind === 'measured' ? await readBaseline(deps.db, night.nightlyId, night.baseline) : null;
    const matches = panel ? nightMatches(plan, candidates, panel) : benchMatches(plan, candidates);
    const write = async (tx: Database): Promise<number> => {
      const total = await saveSchedule(tx, input.benchId, matches);
      await openMatches(tx, input.benchId);
      return total;
    };
    // Not shared: of two that write the schedule the second finds it there.
    return writeAsOwner(deps.db, input, write, 'update');
  };
}

function benchMatches(plan: BenchPlan, candidates: CandidateRow[]): PlannedMatch[] {
  const slot = (position: number, k: number): string => hypothesisId(candidates[position]?.id ?? '', k);
  return scheduleBench(plan, candidates.length).map((match) => ({
    index: match.index,
    candA: candidates[match.candA]?.id ?? '',
    candB: candidates[match.candB]?.id ?? '',
    hypA: slot(match.candA, match.slotA),
    hypB: slot(match.candB, match.slotB),
    oneOrder: match.oneOrder,
    repeats: match.repeats,
  }));
}

/** The next matches to judge, in schedule order; ids only. */
export function createReadWaitingMatches(deps: ActivityDeps) {
  return async function readWaitingMatches(
    input: BenchRef & { afterIndex: number; limit: number },
  ): Promise<WaitingMatch[]> {
    await readOwnedBench(deps.db, input);
    return (await readPlannedMatches(deps.db, input.benchId, input)).map(toWaitingMatch);
  };
}

/** The next played matches some of whose verdicts are to be asked for again, in schedule order. */
export function createReadWaitingRepeats(deps: ActivityDeps) {
  return async function readWaitingRepeats(
    input: BenchRef & { afterIndex: number; limit: number },
  ): Promise<WaitingMatch[]> {
    const { plan } = await readOwnedBench(deps.db, input);
    const rows = await readRepeatedMatches(deps.db, input.benchId, plan.judges.length, input);
    return rows.map(toWaitingMatch);
  };
}

function toWaitingMatch({ id, index, oneOrder }: WaitingRow): WaitingMatch {
  return { id, index, ...(oneOrder === null ? {} : { oneOrder }) };
}

/** @returns how many matches end unplayed for this reason */
export function createCloseTournament(deps: ActivityDeps) {
  return async function closeTournament(input: BenchRef & { reason: string }): Promise<number> {
    return writeAsOwner(deps.db, input, (tx) =>
      closePlannedMatches(tx, { benchId: input.benchId }, input.reason),
    );
  };
}
