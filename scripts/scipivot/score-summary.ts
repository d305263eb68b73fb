import { scoreIntervalText } from '../../core/report/scipivot-words';
import type { ScoreReport } from './score-report';

/** A score in a few lines for a terminal. The file has the rest. */
export function scoreSummary(report: ScoreReport): string {
  const { level } = report.interval;
  const failures = Object.entries(report.failures).filter(([, count]) => count > 0);
  return [
    `score              ${percent(report.mean)}  (${report.n_correct_sessions} of ${report.n_sessions} sessions, ${report.n_cases} cases)`,
    `${percent(level)} interval   ${scoreIntervalText(report.interval)}, cases resampled`,
    `order consistency  ${percent(report.order_consistency)}`,
    `first option       ${percent(report.shown_first_rate)} of answers`,
    `failures, all wrong  ${failures.map(([kind, count]) => `${kind} ${count}`).join(', ') || 'none'}`,
    `references         ${report.pin.status}`,
  ].join('\n');
}

function percent(share: number | null): string {
  return share === null ? 'unknown' : `${(share * 100).toFixed(2)} %`;
}
