import { compareText } from '../compare-text';
import { roundUsd } from '../prices';
import type { RecordedBench, RecordedCall } from './recorded-bench';

/** What had been spent by a moment, in USD: the known costs of the calls that had ended. */
export interface SpendPoint {
  /** Since the bench was created. */
  seconds: number;
  generationUsd: number;
  /** Reviews, verdicts and debates. */
  judgingUsd: number;
  /** Probes and everything else. */
  otherUsd: number;
}

const MOST_POINTS = 400;

/** From zero to the end, in time; of very many points the last of each stretch. */
export function spendOverTime({ run, calls }: Pick<RecordedBench, 'run' | 'calls'>): SpendPoint[] {
  const start = Date.parse(run.createdAt);
  const paid = calls
    .filter(({ costUsd, endedAt }) => costUsd !== null && costUsd > 0 && endedAt !== null)
    .sort(
      (one, other) => compareText(one.endedAt ?? '', other.endedAt ?? '') || compareText(one.key, other.key),
    );
  let point: SpendPoint = { seconds: 0, generationUsd: 0, judgingUsd: 0, otherUsd: 0 };
  const points = [point];
  for (const call of paid) {
    const field = spentOn(call);
    point = { ...point, seconds: (Date.parse(call.endedAt ?? '') - start) / 1000 };
    point[field] = roundUsd(point[field] + (call.costUsd ?? 0));
    points.push(point);
  }
  const step = Math.ceil(points.length / MOST_POINTS);
  return points.filter((_, i) => i % step === 0 || i === points.length - 1);
}

function spentOn({ kind }: RecordedCall): 'generationUsd' | 'judgingUsd' | 'otherUsd' {
  if (kind === 'generation') return 'generationUsd';
  return kind === 'review' || kind === 'judge' || kind === 'debate' ? 'judgingUsd' : 'otherUsd';
}
