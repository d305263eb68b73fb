import { forecastSpending } from '../../core/forecast';
import type { BenchProgress, CandidateProgress } from '../../db/progress';
import { simulationNote } from './describe-plan';
import { expectedVerdicts } from './expected-verdicts';

/** What a running bench will probably still cost and take; null where nothing tells. */
export interface ToCome {
  usd: number | null;
  ms: number | null;
}

/**
 * From what its own calls have cost and taken as soon as some have ended, before that from the forecast. Models that
 * are simulated take no time that a forecast could know. Where a call's cost is unknown, nothing tells of the next one's.
 */
export function toCome(progress: BenchProgress): ToCome {
  const { state, plan, finishedAt } = progress;
  if (finishedAt !== null || state !== 'running') return { usd: null, ms: null };
  const forecast = forecastSpending(plan);
  const expected = new Map(forecast.candidates.map(({ label, expectedUsd }) => [label, expectedUsd]));
  const generation = progress.candidates.map((c) => candidateToCome(progress, c, expected.get(c.label) ?? 0));
  const judging = judgeToCome(progress, forecast.judge.expectedUsd);
  const usd = generation.reduce((sum, one) => sum + one, 0) + judging;
  return { usd: progress.total.nUnknownCost > 0 ? null : usd, ms: msToCome(progress, forecast) };
}

/** Slots that are still at work are taken to be half-way; a SciΠvot data set comes after the hypotheses. */
function candidateToCome(progress: BenchProgress, candidate: CandidateProgress, expectedUsd: number): number {
  if (mayBeAsked(progress, candidate)) return sessionsToCome(progress, candidate, expectedUsd);
  if (!isWriting(candidate)) return 0;
  const { costUsd, nPlanned } = candidate;
  const open = openSlots(candidate);
  const ended = nPlanned - open;
  if (ended === 0) return Math.max(0, expectedUsd - costUsd);
  return (costUsd * open) / (nPlanned + ended);
}

function mayBeAsked({ plan, scipivot = [] }: BenchProgress, { label, state }: CandidateProgress): boolean {
  if (!plan.scipivot || state === 'dropped' || state === 'failed' || state === 'over_budget') return false;
  const own = scipivot.find(({ role, subject }) => role === 'candidate' && subject === label);
  return own === undefined || own.state === 'asking';
}

/** Where nothing but sessions is paid for, by what those so far have cost; else by the forecast, which has them in it. */
function sessionsToCome(
  { plan, scipivot = [] }: BenchProgress,
  { label, costUsd }: CandidateProgress,
  expectedUsd: number,
): number {
  const own = scipivot.find(({ role, subject }) => role === 'candidate' && subject === label);
  if (plan.n > 0 || own === undefined || own.nEnded === 0) return Math.max(0, expectedUsd - costUsd);
  return (costUsd / own.nEnded) * (own.nSessions - own.nEnded);
}

/** At work, or ready with this run and slots of the next still open. */
function isWriting(candidate: CandidateProgress): boolean {
  const { state } = candidate;
  return state === 'planned' || state === 'generating' || (state === 'ready' && openSlots(candidate) > 0);
}

function openSlots({ slots, nPlanned }: CandidateProgress): number {
  return Object.keys(slots).length === 0 ? nPlanned : (slots.planned ?? 0);
}

function judgeToCome(progress: BenchProgress, expectedUsd: number): number {
  const { verdicts, costUsd } = progress.judge;
  const open = expectedVerdicts(progress).verdicts - verdicts;
  if (progress.plan.scipivot) return Math.max(0, expectedUsd - costUsd);
  if (verdicts === 0) return Math.max(0, expectedUsd - costUsd);
  return (costUsd / verdicts) * Math.max(0, open);
}

function msToCome(
  progress: BenchProgress,
  { expectedMinutes, expectedGenerationMinutes }: ReturnType<typeof forecastSpending>,
): number | null {
  const { judge, candidates, writingMs, plan } = progress;
  const open = Math.max(0, expectedVerdicts(progress).verdicts - judge.verdicts);
  const { verdicts = 0, overMs = 0 } = judge.pace ?? {};
  const hasPace = verdicts > 0 && overMs > 0;
  const isGenerating = candidates.some(isWriting);
  if (hasPace && !isGenerating) return (open * overMs) / verdicts;
  if (simulationNote(plan) !== null || !isGenerating) return null;
  const generationMs = 60_000 * expectedGenerationMinutes - writingMs;
  // They have been at work for longer than was expected of them: how much longer, nothing tells.
  if (generationMs <= 0) return null;
  return generationMs + 60_000 * (expectedMinutes - expectedGenerationMinutes);
}
