import type { BenchReport } from '../../../../core/report/bench-report';
import { COLOURS, legend, nameAxis, nameRoom, PATTERNS, type Plot, valueAxis } from './draw-plot';
import { intervalPlot } from './interval-plot';

/** Ratings with their intervals, best first. */
export function forestPlot({ candidates, ratings }: BenchReport): Plot | null {
  if (ratings === null) return null;
  const byLabel = new Map(ratings.given.candidates.map((rating) => [rating.candidate, rating]));
  return intervalPlot({
    id: 'forest',
    label: 'Ratings of the candidates with 95 % intervals; the figures stand in the table.',
    axis: 'rating and 95 % interval',
    reference: ratings.given.settings.mean,
    rows: candidates.map(({ label, mode }) => ({
      name: label,
      value: byLabel.get(label)?.rating ?? null,
      interval: byLabel.get(label)?.interval ?? null,
      colour: mode === 'pipeline' ? COLOURS.pipeline : COLOURS.raw,
      isSquare: mode === 'direct',
    })),
  });
}

/** What the pipeline adds to each model. */
export function pipelinePlot({ ratings }: BenchReport): Plot | null {
  const models = ratings?.pipelineMinusRaw?.models ?? [];
  if (!ratings || models.length === 0) return null;
  return intervalPlot({
    id: 'pipeline',
    label:
      'Pipeline minus raw of each model with simultaneous 95 % intervals; the figures stand in the table.',
    axis: 'pipeline − raw, Elo',
    reference: 0,
    margin: ratings.given.settings.marginElo,
    rows: models.map(({ model, elo, interval }) => ({
      name: model,
      value: elo,
      interval,
      colour: COLOURS.pipeline,
    })),
  });
}

/** What two orders of the same match came to, judge by judge. */
export function positionPlot({ conduct }: BenchReport): Plot | null {
  const judges = conduct.orders.filter(({ matches }) => matches > 0);
  if (judges.length === 0) return null;
  const part = (name: string, colour: string, counts: number[]) => ({
    name,
    type: 'bar' as const,
    stack: 'orders',
    silent: true,
    barWidth: 26,
    itemStyle: { color: colour },
    label: {
      show: true,
      color: COLOURS.paper,
      backgroundColor: colour, // without the pattern
      padding: [2, 4],
      fontSize: 12,
      formatter: ({ value }: { value: unknown }) => (Number(value) > 0 ? String(value) : ''),
    },
    data: counts,
  });
  return {
    id: 'position',
    label:
      'Matches on which the two orders agreed, half flipped, and flipped to the first or the second place.',
    height: judges.length * 44 + 92,
    narrowHeight: judges.length * 44 + 132,
    option: (isNarrow) => ({
      grid: { left: nameRoom(isNarrow), right: 18, top: isNarrow ? 80 : 40, bottom: 46 },
      aria: PATTERNS,
      legend: legend(isNarrow),
      xAxis: valueAxis('matches', { scale: false, minInterval: 1, splitNumber: isNarrow ? 3 : 6 }),
      yAxis: nameAxis(
        judges.map(({ judge }) => judge),
        isNarrow,
      ),
      series: [
        part(
          'agreed',
          COLOURS.third,
          judges.map(({ agreed }) => agreed.count),
        ),
        part(
          'half flip',
          COLOURS.quiet,
          judges.map(({ halfFlips }) => halfFlips.count),
        ),
        part(
          'flip, first twice',
          COLOURS.raw,
          judges.map(({ positionBias }) => positionBias.firstFirst),
        ),
        part(
          'flip, second twice',
          COLOURS.fourth,
          judges.map(({ positionBias }) => positionBias.secondSecond),
        ),
      ],
    }),
  };
}

/** Known costs as they came in. */
export function spendPlot({ spend, isSimulated }: BenchReport): Plot | null {
  const last = spend.at(-1);
  if (!last || last.generationUsd + last.judgingUsd + last.otherUsd === 0) return null;
  const { divisor, unit } = timeUnit(last.seconds);
  const area = (name: string, colour: string, field: 'generationUsd' | 'judgingUsd' | 'otherUsd') => ({
    name,
    type: 'line' as const,
    step: 'end' as const,
    stack: 'spend',
    silent: true,
    clip: false,
    symbol: 'none',
    lineStyle: { width: 1, color: colour },
    itemStyle: { color: colour },
    areaStyle: { color: colour, opacity: 0.55 },
    data: spend.map((point) => [point.seconds / divisor, point[field]]),
  });
  return {
    id: 'spend',
    label: `Cumulative spend over time, ${last.generationUsd + last.judgingUsd + last.otherUsd} dollars in the end.`,
    height: 300,
    narrowHeight: 318,
    option: (isNarrow) => ({
      grid: { left: 62, right: 22, top: isNarrow ? 78 : 40, bottom: 46 },
      aria: PATTERNS,
      legend: legend(isNarrow),
      xAxis: valueAxis(
        `${unit} since the bench began`,
        { scale: false, splitNumber: isNarrow ? 3 : 6, max: 'dataMax' },
        { showMaxLabel: false }, // wherever the bench happened to end
      ),
      yAxis: valueAxis(isSimulated ? 'simulated $' : '$', { scale: false, nameGap: 44 }),
      series: [
        area('generation', COLOURS.pipeline, 'generationUsd'),
        area('reviews and verdicts', COLOURS.raw, 'judgingUsd'),
        area('checks and other', COLOURS.third, 'otherUsd'),
      ],
    }),
  };
}

function timeUnit(seconds: number): { divisor: number; unit: string } {
  if (seconds < 300) return { divisor: 1, unit: 'seconds' };
  return seconds < 3 * 3600 ? { divisor: 60, unit: 'minutes' } : { divisor: 3600, unit: 'hours' };
}
