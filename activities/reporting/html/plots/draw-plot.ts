import { type EChartsOption, init } from 'echarts';
import { html, type Markup, trusted } from '../markup';

/** A plot at two widths, of which the page shows the one that fits. */
export interface Plot {
  /** Names it in the page; also the prefix of ids inside the drawing. */
  id: string;
  /** What it shows, in a sentence: for those who cannot see it. */
  label: string;
  height: number;
  /** Where a narrow drawing needs another height. */
  narrowHeight?: number;
  option: (isNarrow: boolean) => EChartsOption;
}

const WIDE = 968;
const NARROW = 340;

/** Drawn here and now to SVG: the page needs no script and no network for it. Colours are the page's own. */
export function drawPlot({ id, label, height, narrowHeight = height, option }: Plot): Markup {
  return html`<div class="plot" role="img" aria-label="${label}">${[
    svgOf(option(false), WIDE, height, `${id}-wide`, 'wide'),
    svgOf(option(true), NARROW, narrowHeight, `${id}-narrow`, 'narrow'),
  ]}</div>`;
}

const FONT_SIZE = 13;

const PATTERN_COLOUR = 'rgba(255, 255, 255, 0.65)';
const LINES = { color: PATTERN_COLOUR, symbol: 'rect', dashArrayX: [1, 0], dashArrayY: [1.5, 5] };

/** Colours of the style sheet, so that a drawing follows it from light to dark. */
export const COLOURS = {
  ink: 'var(--ink)',
  quiet: 'var(--quiet)',
  rule: 'var(--rule)',
  paper: 'var(--paper)',
  pipeline: 'var(--pipeline)',
  raw: 'var(--raw)',
  third: 'var(--third)',
  fourth: 'var(--fourth)',
} as const;

function svgOf(option: EChartsOption, width: number, height: number, id: string, name: string): Markup {
  const chart = init(null, null, { renderer: 'svg', ssr: true, width, height });
  try {
    chart.setOption({
      animation: false,
      textStyle: { fontFamily: 'inherit', fontSize: FONT_SIZE, color: COLOURS.ink },
      ...option,
    });
    return trusted(ownSvg(chart.renderToSVGString({ useViewBox: true }), id, name));
  } finally {
    chart.dispose();
  }
}

/**
 * The library numbers its drawings through a process and marks them for scripts of its own: without these, the same
 * data gives the same bytes. All text in it is escaped by the library, so no label can look like one of its attributes.
 */
function ownSvg(svg: string, id: string, name: string): string {
  return svg
    .replace(/<style\s*>[\s\S]*?<\/style>/g, '')
    .replace(
      / (class="zr\d+-cls-\d+"|ecmeta_[a-z_]+="[^"]*"|pointer-events="visible"|xmlns:xlink="[^"]*")/g,
      '',
    )
    .replace(/\b(id="|url\(#|href="#)zr\d+-/g, `$1${id}-`)
    .replace(/^<svg /, `<svg class="${name}" aria-hidden="true" `)
    .replace(/\n+/g, '\n')
    .trim();
}

/** Names of the series, above the drawing. The library guesses widths of letters, hence the wide gaps. */
export function legend(isNarrow: boolean) {
  return {
    top: 0,
    left: 0,
    icon: 'roundRect',
    itemWidth: 12,
    itemHeight: 12,
    itemGap: isNarrow ? 22 : 36, // in a narrow one also between its lines
    selectedMode: false as const,
    textStyle: { color: COLOURS.ink, fontSize: isNarrow ? 11 : FONT_SIZE },
  };
}

/** Patterns over the series' colours, in their order, the first without one: on paper, and to some eyes, colours look alike. */
export const PATTERNS = {
  enabled: true,
  label: { enabled: false },
  decal: {
    show: true,
    decals: [
      { symbol: 'none' },
      { ...LINES, rotation: Math.PI / 4 },
      { ...LINES, rotation: -Math.PI / 4 },
      { color: PATTERN_COLOUR, symbol: 'circle', symbolSize: 0.5, dashArrayX: [[5, 5]], dashArrayY: 6 },
    ],
  },
};

/** An axis of numbers in the page's quiet colours. */
export function valueAxis(name: string, more: object = {}, labels: object = {}) {
  return {
    type: 'value' as const,
    name,
    nameLocation: 'middle' as const,
    nameGap: 30,
    nameTextStyle: { color: COLOURS.quiet, fontSize: FONT_SIZE },
    axisLine: { show: false },
    axisTick: { show: false },
    axisLabel: { color: COLOURS.quiet, fontSize: 12, hideOverlap: true, formatter: formatTick, ...labels },
    splitLine: { lineStyle: { color: COLOURS.rule } },
    scale: true,
    ...more,
  };
}

/** Room for names beside a drawing, and what fits into it with wide letters too. */
export function nameRoom(isNarrow: boolean): number {
  return isNarrow ? 134 : 240;
}
const NARROW_NAME = 18;
const WIDE_NAME = 30;

/** An axis of names, the first at the top. */
export function nameAxis(names: readonly string[], isNarrow: boolean, more: object = {}) {
  return {
    type: 'category' as const,
    data: names.map((name) => shortLabel(name, isNarrow ? NARROW_NAME : WIDE_NAME)),
    inverse: true,
    axisLine: { show: false },
    axisTick: { show: false },
    axisLabel: { color: COLOURS.ink, fontSize: isNarrow ? 11 : FONT_SIZE, interval: 0 },
    ...more,
  };
}

/** Cut in its middle, where names that begin and end alike differ least. */
export function shortLabel(label: string, most: number): string {
  if (label.length <= most) return label;
  const tail = Math.floor((most - 1) / 2);
  return `${label.slice(0, most - 1 - tail)}…${label.slice(label.length - tail)}`;
}

function formatTick(value: number): string {
  return String(Number(value.toPrecision(10))).replace('-', '−');
}
