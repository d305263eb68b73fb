import type { CustomSeriesRenderItemAPI, CustomSeriesRenderItemParams } from 'echarts';
import type { Interval } from '../../../../core/ratings/interval';
import { COLOURS, nameAxis, nameRoom, type Plot, valueAxis } from './draw-plot';

/** A figure with what is known of it. */
export interface IntervalRow {
  name: string;
  /** null: there is none; the row stays empty. */
  value: number | null;
  interval: Interval | null;
  colour: string;
  /** Tells kinds of rows apart where colours do not; left out: round. */
  isSquare?: boolean;
}

export interface IntervalPlot {
  id: string;
  label: string;
  axis: string;
  rows: readonly IntervalRow[];
  /** Drawn as a line from top to bottom: the mean, or no difference. */
  reference: number;
  /** A band around it that counts as none. */
  margin?: number;
}

const ROW_HEIGHT = 30;
const AXIS_HEIGHT = 56;

/** A forest plot: one line a row, a mark at the figure, a bar over its interval; a hollow mark has none. */
export function intervalPlot({ id, label, axis, rows, reference, margin }: IntervalPlot): Plot {
  return {
    id,
    label,
    height: rows.length * ROW_HEIGHT + AXIS_HEIGHT,
    option: (isNarrow) => ({
      grid: { left: nameRoom(isNarrow), right: 18, top: 8, bottom: 48 },
      xAxis: valueAxis(axis, { ...extentOf(rows, reference), splitNumber: isNarrow ? 3 : 6 }),
      yAxis: nameAxis(
        rows.map(({ name }) => name),
        isNarrow,
      ),
      series: [
        {
          type: 'custom',
          silent: true,
          clip: false,
          encode: { x: [0, 1, 2], y: 3 },
          data: rows.map(({ value, interval }, i) => [
            value ?? Number.NaN,
            interval?.low ?? Number.NaN,
            interval?.high ?? Number.NaN,
            i,
          ]),
          renderItem: (params: CustomSeriesRenderItemParams, api: CustomSeriesRenderItemAPI) =>
            rowShapes(rows[params.dataIndex]!, api),
          markLine: {
            symbol: 'none',
            silent: true,
            label: { show: false },
            lineStyle: { color: COLOURS.quiet, type: 'dashed', width: 1 },
            data: [{ xAxis: reference }],
          },
          ...(margin === undefined
            ? {}
            : {
                markArea: {
                  silent: true,
                  itemStyle: { color: COLOURS.rule, opacity: 0.6 },
                  data: [[{ xAxis: reference - margin }, { xAxis: reference + margin }]],
                },
              }),
        },
      ],
    }),
  };
}

function rowShapes(
  { value, interval, colour, isSquare = false }: IntervalRow,
  api: CustomSeriesRenderItemAPI,
) {
  const row = Number(api.value(3));
  const at = (x: number) => api.coord([x, row]) as [number, number];
  const children = [];
  if (interval !== null) {
    const [low, y] = at(interval.low);
    const [high] = at(interval.high);
    const style = { stroke: colour, lineWidth: 2 };
    children.push(
      { type: 'line' as const, shape: { x1: low, y1: y, x2: high, y2: y }, style },
      { type: 'line' as const, shape: { x1: low, y1: y - 4, x2: low, y2: y + 4 }, style },
      { type: 'line' as const, shape: { x1: high, y1: y - 4, x2: high, y2: y + 4 }, style },
    );
  }
  if (value !== null) {
    const [cx, cy] = at(value);
    const hollow = { fill: COLOURS.paper, stroke: colour, lineWidth: 2 };
    const style = interval === null ? hollow : { fill: colour };
    children.push(
      isSquare
        ? { type: 'rect' as const, shape: { x: cx - 4.5, y: cy - 4.5, width: 9, height: 9 }, style }
        : { type: 'circle' as const, shape: { cx, cy, r: 5 }, style },
    );
  }
  return { type: 'group' as const, children };
}

/** Room for every end, with a little beside. */
function extentOf(rows: readonly IntervalRow[], reference: number): { min: number; max: number } {
  const ends = rows.flatMap(({ value, interval }) => [
    ...(value === null ? [] : [value]),
    ...(interval === null ? [] : [interval.low, interval.high]),
  ]);
  const low = Math.min(reference, ...ends);
  const high = Math.max(reference, ...ends);
  const step = niceStep((high - low) / 6);
  return { min: Math.floor(low / step) * step, max: Math.ceil(high / step) * step || step };
}

/** 1, 2 or 5 times a power of ten. */
function niceStep(size: number): number {
  if (!(size > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(size));
  const rest = size / power;
  return (rest <= 1 ? 1 : rest <= 2 ? 2 : rest <= 5 ? 5 : 10) * power;
}
