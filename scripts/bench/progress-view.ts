import { CALL_FAILURES, type CallFailure } from '../../core/completion';
import { replicatesOf } from '../../core/replicates';
import { costText, usdText } from '../../core/report/figure-text';
import type { BenchProgress, CandidateProgress, ScopeProgress } from '../../db/progress';
import { simulationNote } from './describe-plan';
import { expectedVerdicts } from './expected-verdicts';
import { countAllSessions } from './session-progress';
import type { Colours } from './terminal';
import { cutToWidth, padToWidth, textWidth } from './text-width';
import { toCome } from './to-come';
import { hangingLines } from './wrapped-text';

/** What a bench is at, in a word or two. */
export function benchStage({ state, candidates, matches, plan, scipivot }: BenchProgress): string {
  if (state === 'planned') return 'planning';
  if (state !== 'running') return state;
  if (candidates.every((c) => c.state === 'planned')) return plan.probe ? 'checking' : 'starting';
  if (candidates.some((c) => c.state === 'planned' || c.state === 'generating')) return 'generating';
  // Between two runs every candidate is ready, and has slots of the next one.
  if (replicatesOf(plan) > 1 && candidates.some((c) => c.state === 'ready' && (c.slots.planned ?? 0) > 0)) {
    return 'generating';
  }
  if (countAllSessions(scipivot)?.isAsking) return 'asking';
  return plan.matches > 0 && openMatches(matches) !== 0 ? 'judging' : 'finishing';
}

/** What a candidate is at. */
export function candidateStage(candidate: CandidateProgress): string {
  const { state, slots, turn, failureKind, holdReason } = candidate;
  if (state === 'planned') return 'waiting';
  if (state === 'failed') return `failed: ${failureKind ?? 'unknown'}`;
  if (state !== 'generating') return state.replace('_', ' ');
  if (holdReason !== null) return 'held';
  if ((slots.planned ?? 0) > 0) return turn > 0 ? `turn ${turn}` : 'starting';
  return (slots.draft ?? 0) > 0 ? 'reviewing' : 'closing';
}

/** Hypotheses that have been written and were kept so far. */
export function writtenCount({ slots }: CandidateProgress): number {
  return (slots.draft ?? 0) + (slots.reviewed ?? 0) + (slots.in_tournament ?? 0);
}

/** `truncated 2, refused 1`; empty when there is nothing. */
export function formatCounts(counts: Record<string, number>): string {
  return Object.entries(counts)
    .map(([kind, count]) => `${kind} ${count}`)
    .join(', ');
}

/** Requests that got no answer in a way that asking again may mend: those will be, or were, asked again. */
export function askedAgain({ unanswered }: ScopeProgress): Record<string, number> {
  const mendable = ([kind]: [string, number]) => CALL_FAILURES[kind as CallFailure]?.isRetryable ?? false;
  return Object.fromEntries(Object.entries(unanswered).filter(mendable));
}

/** The known cost, while calls are out. */
export function costSoFar(scope: ScopeProgress): string {
  return scope.costUsd === 0 && scope.nUnknownCost + scope.inDoubtUsd === 0 ? '–' : costText(scope);
}

/**
 * The whole state as a block of lines: the head goes on in a second one, any other is cut to the width. With more
 * candidates than rows the ones at work come first, and the others are counted.
 */
export function progressLines(
  progress: BenchProgress,
  screen: { width: number; height: number; colours: Colours },
): string[] {
  const { width, height, colours } = screen;
  const { plan, judge, matches, candidates } = progress;
  const note = simulationNote(plan);
  const simulated = note ? ` · ${note}` : '';
  const elapsed = formatElapsed(progress.workMs);
  const rest = toComeText(progress);
  const ahead = rest ? ` · ${rest}` : '';
  const isChecking = candidates.every((c) => c.state === 'planned');
  const checks = isChecking ? troubleOf('no answer, asking again', askedAgain(progress.total)) : '';
  const said = `${colours.bold(progress.benchId)}${simulated} · ${benchStage(progress)} · ${elapsed}${ahead}`;
  const head = hangingLines(withTrouble(said, [checks], colours), width - 1);
  const shown = pickCandidates(candidates, Math.max(3, height - 5 - head.length));
  const labelWidth = Math.min(Math.max(5, ...shown.map((c) => textWidth(c.label))), Math.max(12, width - 44));
  const rows = shown.map((c) => candidateLine(c, labelWidth, colours));
  if (shown.length < candidates.length) rows.push(colours.dim(restLine(candidates, shown)));
  const expected = expectedVerdicts(progress);
  if (expected.verdicts > 0) {
    const verdicts = `${judge.verdicts}/${expected.verdicts} verdicts`;
    const played = `${matches.played}/${expected.matches} matches`;
    const trouble = [
      progress.holdReason === null ? '' : `held: ${progress.holdReason}`,
      troubleOf('invalid', judge.invalid),
      troubleOf('unplayed', matches.unplayed),
      troubleOf('asked again', askedAgain(judge)),
    ];
    const text = `${'judge'.padEnd(labelWidth)}  ${verdicts}, ${played}  ${costSoFar(judge)}`;
    rows.push(withTrouble(text, trouble, colours));
  }
  const sessions = countAllSessions(progress.scipivot);
  if (sessions) {
    const text = `${'SciΠvot'.padEnd(labelWidth)}  ${sessions.ended}/${sessions.planned} sessions`;
    const held = sessions.held.length > 0 ? `held: ${sessions.held.join('; ')}` : '';
    rows.push(withTrouble(text, [held, troubleOf('no answer', sessions.unanswered)], colours));
  }
  return [...head, ...rows.map((row) => `  ${row}`), ...holdHints(progress)].map((line) =>
    cutToWidth(line, width - 1),
  );
}

/** `about 3 min 05 s and $0.1200 to come`; what nothing tells is unknown; empty where nothing is told, or to come. */
export function toComeText(progress: BenchProgress): string {
  const { usd, ms } = toCome(progress);
  if ((ms === null && usd === null) || (ms === 0 && usd === 0)) return '';
  if (ms === null) return `about ${usdText(usd ?? 0)} to come, time unknown`;
  const time = formatElapsed(Math.max(1000, ms));
  if (usd === null) return `about ${time} to come, dollars unknown`;
  return `about ${time} and ${usdText(usd)} to come`;
}

/** How to go on where a bench stands still by itself or by a signal; empty when it does not. */
export function holdHints({ benchId, state, holdReason, candidates, scipivot }: BenchProgress): string[] {
  const parts = [...candidates, ...(scipivot ?? [])];
  if (state !== 'paused' && holdReason === null && parts.every((part) => part.holdReason === null)) return [];
  const held = candidates.filter((candidate) => candidate.holdReason !== null);
  return [
    `  go on: co-scientist unpause ${benchId}`,
    ...held.map(({ label }) => `  go on without ${label}: co-scientist drop ${benchId} ${label}`),
    `  end it: co-scientist cancel ${benchId} (resume takes it up again, ${held.length > 0 ? 'with a key or a server that was mended' : 'and pays for what is missing'})`,
  ];
}

function candidateLine(candidate: CandidateProgress, labelWidth: number, colours: Colours): string {
  const label = padToWidth(cutToWidth(candidate.label, labelWidth, 'middle'), labelWidth);
  const count = candidate.nPlanned === 0 ? '' : `${writtenCount(candidate)}/${candidate.nPlanned}`;
  const text = `${label}  ${candidateStage(candidate).padEnd(11)}  ${count.padStart(7)}  ${costSoFar(candidate).padStart(9)}`;
  const isAtWork = candidate.state === 'generating' && (candidate.slots.planned ?? 0) > 0;
  const trouble = [troubleOf('failed', candidate.failures)];
  if (candidate.holdReason !== null) trouble.unshift(`held: ${candidate.holdReason}`);
  if (isAtWork) trouble.push(troubleOf('asked again', askedAgain(candidate)));
  return withTrouble(text, trouble, colours);
}

function troubleOf(word: string, counts: Record<string, number>): string {
  const list = formatCounts(counts);
  return list ? `${word}: ${list}` : '';
}

function withTrouble(text: string, troubles: string[], colours: Colours): string {
  const said = troubles.filter(Boolean).join('; ');
  return said ? `${text}  ${colours.yellow(said)}` : text;
}

/** All of them, or those at work first; in the order of the plan. */
function pickCandidates(candidates: CandidateProgress[], room: number): CandidateProgress[] {
  if (candidates.length <= room) return candidates;
  const urgency = (c: CandidateProgress) => (c.state === 'generating' ? 0 : c.state === 'planned' ? 2 : 1);
  const picked = new Set([...candidates].sort((a, b) => urgency(a) - urgency(b)).slice(0, room - 1));
  return candidates.filter((c) => picked.has(c));
}

function restLine(candidates: CandidateProgress[], shown: CandidateProgress[]): string {
  const counts: Record<string, number> = {};
  for (const { state } of candidates.filter((c) => !shown.includes(c)))
    counts[state] = (counts[state] ?? 0) + 1;
  return `and ${candidates.length - shown.length} more: ${formatCounts(counts)}`;
}

function openMatches({ scheduled, played, unplayed }: BenchProgress['matches']): number {
  if (scheduled === 0) return -1;
  return scheduled - played - Object.values(unplayed).reduce((sum, n) => sum + n, 0);
}

/** `8 s`, `3 min 05 s`, `2 h 03 min`. */
export function formatElapsed(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  const pad = (value: number) => String(value).padStart(2, '0');
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${pad(seconds % 60)} s`;
  return `${Math.floor(seconds / 3600)} h ${pad(Math.floor(seconds / 60) % 60)} min`;
}
