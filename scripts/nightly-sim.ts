import { parseArgs } from 'node:util';
import { logitFromElo } from '../core/ratings/elo-scale';
import { runWorlds, type WorldEnd } from './nightly-sim/run-worlds';
import { BASE_NIGHTLY, FIRST_JUDGE, type NightlyWorld } from './nightly-sim/world';

/**
 * Does the nightly comparison keep its promises? Simulated nightlies with a known truth, by the code that judges real
 * ones; prints the table of docs/guide/nightly.md and exits 1 when a bound is broken.
 *
 *   npm run nightly:sim -- --worlds 400 --seed 2
 */
const { values } = parseArgs({
  options: {
    worlds: { type: 'string', default: '200' },
    nights: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    alpha: { type: 'string', default: '0.05' },
    /** Rows whose name holds this; default all. */
    only: { type: 'string', default: '' },
  },
});

const CHANGE_AT = 60;
const drop = { night: CHANGE_AT, logits: logitFromElo(100) };
const swapTo = (judge: Partial<typeof FIRST_JUDGE>): Partial<NightlyWorld> => ({
  swap: { night: CHANGE_AT, judge: { ...FIRST_JUDGE, ...judge } },
});

type Bound = (found: Found) => boolean;
const isQuiet: Bound = ({ falseAlarm }) => falseAlarm <= 0.05;
const isFound: Bound = ({ medianDelay }) => medianDelay !== null && medianDelay <= 40;
const isJudges: Bound = ({ drift, called }) => drift > 0.5 && drift > 4 * called;

const SCENARIOS: { name: string; world: Partial<NightlyWorld>; bound: Bound | null }[] = [
  { name: 'no change', world: {}, bound: isQuiet },
  { name: 'no change, a lucky panel', world: { hasLuckyPanel: true }, bound: isQuiet },
  { name: 'no change, nights differ', world: { nightEffect: 0.3 }, bound: isQuiet },
  { name: '100 Elo drop, n 4, 28 matches', world: { drop }, bound: isFound },
  { name: '100 Elo drop, n 2, 14 matches', world: { drop, n: 2, matches: 1 }, bound: null },
  { name: 'a coarser judge (slope ½)', world: swapTo({ slope: 0.5 }), bound: isJudges },
  {
    name: 'a judge of other tastes',
    world: swapTo({ textTaste: 0.6, styleTaste: 0.3 }),
    bound: isJudges,
  },
];

interface Found {
  /** Shares of worlds: any candidate ever called, without a change; the judge. */
  falseAlarm: number;
  drift: number;
  /** Somebody called from the change on before, or without, `judge_drift`. */
  called: number;
  /** Nights from the change until the candidate that dropped is called; null: not in half of the worlds. */
  medianDelay: number | null;
  medianDrift: number | null;
}

main();

function main(): void {
  const nights = Number(values.nights);
  const settings = {
    worlds: Number(values.worlds),
    nights,
    seed: Number(values.seed),
    alpha: Number(values.alpha),
  };
  const started = performance.now();
  console.log(
    `8 candidates, ${nights} nights, changes at night ${CHANGE_AT}, ${settings.worlds} worlds a row\n`,
  );
  console.log(
    '| world | anyone called | judge_drift | called first | median nights to call | to judge_drift | |',
  );
  console.log('|---|--:|--:|--:|--:|--:|---|');
  let broken = 0;
  for (const { name, world, bound } of SCENARIOS.filter((scenario) => scenario.name.includes(values.only))) {
    const found = summarise(runWorlds({ ...BASE_NIGHTLY, ...world }, settings), nights);
    const isHeld = bound?.(found) ?? true;
    if (!isHeld) broken += 1;
    console.log(row(name, world, found, nights, isHeld));
  }
  const minutes = ((performance.now() - started) / 60_000).toFixed(1);
  console.log(
    `\nseed ${settings.seed}, alpha ${settings.alpha}, ${minutes} minutes; ${broken} bounds broken`,
  );
  process.exitCode = broken > 0 ? 1 : 0;
}

function summarise(ends: readonly WorldEnd[], nights: number): Found {
  const share = (is: (end: WorldEnd) => boolean) => ends.filter(is).length / ends.length;
  const called = (end: WorldEnd) => Math.min(end.regressed ?? Infinity, end.improved ?? Infinity);
  return {
    falseAlarm: share((end) => called(end) <= nights),
    drift: share((end) => end.judgeDrift !== null),
    called: share((end) => called(end) <= nights && called(end) < (end.judgeDrift ?? Infinity)),
    medianDelay: medianDelay(ends.map((end) => end.firstRegressed)),
    medianDrift: medianDelay(ends.map((end) => end.judgeDrift)),
  };
}

function medianDelay(nights: readonly (number | null)[]): number | null {
  const sorted = nights.map((night) => night ?? Infinity).sort((one, other) => one - other);
  const middle = sorted[Math.floor((sorted.length - 1) / 2)]!;
  return Number.isFinite(middle) ? middle - CHANGE_AT : null;
}

function row(
  name: string,
  world: Partial<NightlyWorld>,
  found: Found,
  nights: number,
  isHeld: boolean,
): string {
  const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
  const delay = (median: number | null) => (median === null ? `> ${nights - CHANGE_AT}` : String(median));
  const cells = [
    name,
    percent(found.falseAlarm),
    percent(found.drift),
    world.swap ? percent(found.called) : '',
    world.drop ? delay(found.medianDelay) : '',
    world.swap ? delay(found.medianDrift) : '',
    isHeld ? '' : 'broken',
  ];
  return `| ${cells.join(' | ')} |`;
}
