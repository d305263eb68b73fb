import type { CustomSeriesRenderItemAPI, CustomSeriesRenderItemParams } from 'echarts';
import type { Mode } from '../../../../core/bench-input';
import type { Interval } from '../../../../core/ratings/interval';
import type { BenchReport } from '../../../../core/report/bench-report';
import { COLOURS, type Plot, shortLabel, valueAxis } from './draw-plot';

interface CostPoint {
  label: string;
  mode: Mode;
  costUsd: number;
  rating: number;
  interval: Interval | null;
}

/** What a rating costs, with what is known of the rating. */
export function costPlot(report: BenchReport): Plot | null {
  const points = pointsOf(report);
  if (points.length === 0) return null;
  return {
    id: 'cost',
    label:
      'Cost of each candidate against its rating and its 95 % interval; the figures stand in the tables.',
    height: 340,
    narrowHeight: 320,
    option: (isNarrow) => ({
      grid: { left: 62, right: 24, top: 14, bottom: 48 },
      xAxis: valueAxis(report.isSimulated ? 'simulated dollars' : 'US dollars', {
        scale: false,
        splitNumber: isNarrow ? 3 : 6,
      }),
      yAxis: valueAxis('rating and 95 % interval', { nameGap: 44, boundaryGap: ['4%', '4%'] }),
      series: [intervals(points), marks(points, 'pipeline', isNarrow), marks(points, 'direct', isNarrow)],
    }),
  };
}

/** Candidates that have no place in it: no rating, or a cost of which a part is unknown. */
export function missingFromCostPlot(report: BenchReport): string[] {
  const shown = new Set(pointsOf(report).map(({ label }) => label));
  return report.candidates.flatMap(({ label }) => (shown.has(label) ? [] : [label]));
}

function pointsOf({ candidates, ratings }: BenchReport): CostPoint[] {
  const byLabel = new Map(ratings?.given.candidates.map((rating) => [rating.candidate, rating]));
  return candidates.flatMap(({ label, mode, costUsd, nUnknownCost, inDoubtUsd }) => {
    const { rating = null, interval = null } = byLabel.get(label) ?? {};
    if (rating === null || nUnknownCost > 0 || inDoubtUsd > 0) return [];
    return [{ label, mode, costUsd, rating, interval }];
  });
}

function colourOf(mode: Mode): string {
  return mode === 'pipeline' ? COLOURS.pipeline : COLOURS.raw;
}

function marks(points: readonly CostPoint[], mode: Mode, isNarrow: boolean) {
  const most = Math.max(...points.map(({ costUsd }) => costUsd));
  const colour = colourOf(mode);
  return {
    type: 'scatter' as const,
    silent: true,
    clip: false,
    symbol: mode === 'pipeline' ? 'circle' : 'rect',
    symbolSize: mode === 'pipeline' ? 11 : 10,
    data: points
      .filter((point) => point.mode === mode)
      .map(({ costUsd, rating, interval, label }) => ({
        value: [costUsd, rating],
        name: label,
        itemStyle:
          interval === null
            ? { color: COLOURS.paper, borderColor: colour, borderWidth: 2, opacity: 1 }
            : { color: colour, opacity: 1 },
        label: { position: costUsd > 0.55 * most ? ('left' as const) : ('right' as const) },
      })),
    label: {
      // More would lie on each other; their figures stand in the tables.
      show: points.length <= (isNarrow ? 10 : 24),
      color: COLOURS.ink,
      fontSize: isNarrow ? 10 : 12,
      formatter: ({ name }: { name: string }) => shortLabel(name, isNarrow ? 14 : 28),
    },
    labelLayout: { hideOverlap: true, moveOverlap: 'shiftY' as const },
  };
}

function intervals(points: readonly CostPoint[]) {
  const known = points.filter(({ interval }) => interval !== null);
  return {
    type: 'custom' as const,
    silent: true,
    clip: false,
    encode: { x: 0, y: [1, 2] },
    data: known.map(({ costUsd, interval }) => [costUsd, interval!.low, interval!.high]),
    renderItem: ({ dataIndex }: CustomSeriesRenderItemParams, api: CustomSeriesRenderItemAPI) => {
      const [x = 0, low = 0] = api.coord([api.value(0), api.value(1)]);
      const [, high = 0] = api.coord([api.value(0), api.value(2)]);
      const style = { stroke: colourOf(known[dataIndex]!.mode), lineWidth: 1.5, opacity: 0.6 };
      return { type: 'line' as const, shape: { x1: x, y1: low, x2: x, y2: high }, style };
    },
  };
}
