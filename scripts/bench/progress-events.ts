import { countText } from '../../core/report/figure-text';
import type { BenchProgress, CandidateProgress, ScopeProgress } from '../../db/progress';
import { expectedVerdicts } from './expected-verdicts';
import {
  askedAgain,
  benchStage,
  candidateStage,
  costSoFar,
  formatCounts,
  holdHints,
  toComeText,
  writtenCount,
} from './progress-view';
import { countAllSessions, sessionEvents } from './session-progress';

/** What is worth a line since the last look, for output that is not redrawn; the end of the bench comes last. */
export function progressEvents(before: BenchProgress | null, now: BenchProgress): string[] {
  const events: string[] = [];
  const rest = toComeText(now);
  const stage = benchStage(now);
  const isNew = !before || stage !== benchStage(before);
  const staged = isNew ? [rest ? `${stage} (${rest})` : stage] : [];
  if (now.finishedAt === null) events.push(...staged);
  const isChecking = now.candidates.every((c) => c.state === 'planned');
  if (isChecking) events.push(...askingEvents('checks', before?.total, now.total));
  for (const [i, candidate] of now.candidates.entries()) {
    events.push(...candidateEvents(before?.candidates[i] ?? null, candidate));
  }
  events.push(...judgeEvents(before, now, rest));
  events.push(...sessionEvents(countAllSessions(before?.scipivot), countAllSessions(now.scipivot)));
  if (!before || holdHints(before).length === 0) events.push(...holdHints(now));
  if (now.finishedAt !== null) events.push(...staged);
  return events;
}

function candidateEvents(before: CandidateProgress | null, now: CandidateProgress): string[] {
  const events: string[] = [];
  const { label, state, nPlanned, failures } = now;
  if (isMore(before?.failures, failures)) events.push(`${label}: failed: ${formatCounts(failures)}`);
  if (now.holdReason !== null && before?.holdReason !== now.holdReason) {
    events.push(`${label}: held: ${now.holdReason}`);
  }
  const isOver = state !== 'planned' && state !== 'generating';
  if (isOver && before?.state !== state) {
    // SciΠvot alone: there is nothing to write.
    const written =
      nPlanned === 0
        ? ''
        : `, ${writtenCount(now)} of ${countText(nPlanned, 'hypothesis', 'hypotheses')}, ${costSoFar(now)}`;
    events.push(`${label}: ${candidateStage(now)}${written}`);
  } else if (state === 'generating') events.push(...askingEvents(label, before, now));
  return events;
}

function askingEvents(who: string, before: ScopeProgress | null | undefined, now: ScopeProgress): string[] {
  const again = askedAgain(now);
  if (!hasNewKind(before ? askedAgain(before) : {}, again)) return [];
  return [`${who}: no answer, asking again: ${formatCounts(again)}`];
}

/** A line every tenth of the verdicts, one once all matches are played (that may show after the last verdict), and one for each new way of going wrong. */
function judgeEvents(before: BenchProgress | null, now: BenchProgress, rest: string): string[] {
  const events: string[] = [];
  const expected = expectedVerdicts(now);
  const tenths = (progress: BenchProgress | null) =>
    expected.verdicts === 0 ? 0 : Math.floor(((progress?.judge.verdicts ?? 0) / expected.verdicts) * 10);
  const isAllPlayed = (progress: BenchProgress) => progress.matches.played >= expected.matches;
  if (tenths(now) > tenths(before) || (before && isAllPlayed(now) && !isAllPlayed(before))) {
    const { judge, matches } = now;
    const played = `${matches.played} of ${countText(expected.matches, 'match', 'matches')}`;
    const counts = `${judge.verdicts} of ${countText(expected.verdicts, 'verdict')}, ${played}, ${costSoFar(judge)}`;
    events.push(`judge: ${counts}${rest && judge.verdicts < expected.verdicts ? `; ${rest}` : ''}`);
  }
  if (now.holdReason !== null && before?.holdReason !== now.holdReason) {
    events.push(`judge: held: ${now.holdReason}`);
  }
  if (hasNewKind(before?.judge.invalid, now.judge.invalid)) {
    events.push(`judge: invalid verdicts: ${formatCounts(now.judge.invalid)}`);
  }
  if (isMore(before?.matches.unplayed, now.matches.unplayed)) {
    events.push(`matches unplayed: ${formatCounts(now.matches.unplayed)}`);
  }
  events.push(...askingEvents('judge', before?.judge, now.judge));
  return events;
}

function isMore(before: Record<string, number> = {}, now: Record<string, number>): boolean {
  return Object.entries(now).some(([kind, count]) => count > (before[kind] ?? 0));
}

function hasNewKind(before: Record<string, number> = {}, now: Record<string, number>): boolean {
  return Object.keys(now).some((kind) => !(kind in before));
}
