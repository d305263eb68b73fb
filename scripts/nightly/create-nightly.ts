import type { BenchPlan } from '../../core/bench-plan';
import { forecastBench } from '../../core/forecast';
import { ANCHORS, choosePanel, PANEL_SIZE } from '../../core/nightly/panel';
import { skippedTimes } from '../../core/nightly/skipped-times';
import { candidateAlarm, judgeAlarm } from '../../core/ratings/nightly-evidence';
import { countText, momentText, usdText } from '../../core/report/figure-text';
import { findBench, readBenchInput } from '../../db/benches';
import type { Database } from '../../db/database';
import { readPanelCandidates } from '../../db/night-results';
import { type Baseline, createNightly as createRows } from '../../db/nightlies';
import { withRowsOf, withTemporal } from '../bench/bench-connection';
import { simulationNote } from '../bench/describe-plan';
import { findBenchId } from '../bench/find-bench';
import { confirmSpending } from '../bench/forecast-bench';
import { prepareStack } from '../bench/run-bench';
import { widthOf } from '../bench/terminal';
import { hangingLines } from '../bench/wrapped-text';
import { CliError } from '../cli-error';
import type { Stack } from '../stack/ensure-stack';
import { type CreateFlags, checkOwnFlags, type NightlyRequest, readNightlyRequest } from './nightly-request';
import { createSchedule, nightsAMonth, scheduleIdOf } from './schedule';

/**
 * Writes a nightly and its Schedule, and says what it may cost.
 * @throws UsageError with everything that is wrong; CliError when there is one of this name, or no such pinned bench
 */
export async function createNightly(goal: string | undefined, flags: CreateFlags): Promise<void> {
  // What is wrong in itself is said before anything is started.
  await checkNightly(goal, flags);
  const { stack } = await prepareStack();
  await withRowsOf(stack, async (db) => {
    const pinned = flags.bench === undefined ? null : await readPinned(db, flags.bench);
    const request = await readNightlyRequest(goal, flags, pinned);
    const panel = pinned && (await pinPanel(db, pinned.benchId, request.plan.goal));
    say(forecastLines(request, panel));
    await confirmSpending(request.plan, { isYes: Boolean(flags.yes) });
    say(await writeNightly(db, stack, request, panel));
  });
}

/** What is wrong in itself. Of a pinned bench nothing is known yet. @throws UsageError */
export async function checkNightly(goal: string | undefined, flags: CreateFlags): Promise<void> {
  if (flags.bench === undefined) await readNightlyRequest(goal, flags, null);
  else checkOwnFlags(flags);
}

/**
 * Both or neither: a Schedule that is refused leaves no row, and a row that cannot be written no Schedule.
 * @returns what was written
 * @throws UsageError when Temporal refuses the cron fields; CliError when the name is taken
 */
async function writeNightly(
  db: Database,
  stack: Stack,
  request: NightlyRequest,
  panel: Baseline | null,
): Promise<string[]> {
  const { ulid } = require('ulid') as typeof import('ulid');
  const { name, schedule, plan } = request;
  const row = { ...request, id: `nly_${ulid()}`, seed: plan.seed };
  if (schedule === null) {
    if (!(await createRows(db, row, panel, async () => {}))) throw nameIsTaken(name);
    return [`${name} is written; no Schedule begins its nights`];
  }
  return withTemporal(stack, async (client) => {
    let hasSchedule = false;
    try {
      const created = await createRows(db, row, panel, async () => {
        const description = await createSchedule(client, name, schedule);
        hasSchedule = true;
        return description;
      });
      if (!created) throw nameIsTaken(name);
      const { begun } = created;
      return scheduleLines(request, nightsAMonth(begun), begun.info.nextActionTimes[0]);
    } catch (error) {
      if (hasSchedule) await client.schedule.getHandle(scheduleIdOf(name)).delete();
      throw error;
    }
  });
}

function nameIsTaken(name: string): CliError {
  return new CliError({
    reason: `there is a nightly ${name} already`,
    remedy: `give another --name, or co-scientist nightly delete ${name}`,
  });
}

async function readPinned(db: Database, text: string) {
  const benchId = await findBenchId(db, text);
  return { benchId, input: await readBenchInput(db, benchId) };
}

/**
 * The panel of a finished bench on the same goal.
 * @throws CliError
 */
export async function pinPanel(db: Database, benchId: string, goal: string): Promise<Baseline> {
  const bench = await findBench(db, benchId);
  const panel = choosePanel(await readPanelCandidates(db, benchId));
  const problems: string[] = [];
  if (bench?.state !== 'finished') problems.push(`it is ${bench?.state}, not finished`);
  if (bench && bench.plan.goal !== goal) problems.push('its goal is another one');
  if (panel.opponents.length < 2) {
    problems.push(
      `${panel.opponents.length} of its hypotheses have played each other, a panel needs 2 at least`,
    );
  }
  if (problems.length === 0) return { ...panel, pinnedBench: benchId };
  throw new CliError({
    reason: `bench ${benchId} cannot be the panel`,
    problems,
    remedy: 'name another --bench, or none: the first night then plays it',
  });
}

function forecastLines({ name, plan, budgetUsd, alpha }: NightlyRequest, panel: Baseline | null): string[] {
  const opponents = panel?.opponents.length ?? Math.min(PANEL_SIZE, plan.candidates.length * plan.n);
  const anchors = panel?.anchors.length ?? Math.min(ANCHORS, (opponents * (opponents - 1)) / 2);
  const matches = plan.matches * opponents;
  const { wholeUsd, judgeUsd } = nightForecast(plan, plan.candidates.length * matches + anchors);
  const simulated = simulationNote(plan);
  return [
    `${name}${simulated ? ` · ${simulated}` : ''}`,
    `  a night: ${countText(plan.candidates.length, 'candidate')} × ${countText(plan.n, 'fresh hypothesis', 'fresh hypotheses')}, ${countText(matches, 'match', 'matches')} each against ${countText(opponents, 'frozen opponent')}, ${countText(anchors, 'anchor')}, all in both orders`,
    panel
      ? `  panel: ${panel.pinnedBench}`
      : '  panel: none yet: the first night plays an ordinary bench, whose hypotheses become the panel',
    `  calls a candidate regressed or improved at E ≥ ${Math.round(candidateAlarm({ alpha, candidates: plan.candidates.length }))} (alpha ${alpha}), the judge drifted at E ≥ ${Math.round(judgeAlarm(alpha))}`,
    `  expected ${usdText(wholeUsd)} a night if no cap ends it early; at most $${budgetUsd}`,
    ...(judgeUsd > plan.budgets.judgeUsd
      ? [
          `  note: the judge’s cap of $${plan.budgets.judgeUsd} will probably end a night early: --judge-budget ${Math.ceil(judgeUsd * 1.5)}`,
        ]
      : []),
    ...(wholeUsd > budgetUsd ? ['  note: the budget will probably end a night early'] : []),
    ...(opponents < PANEL_SIZE
      ? [`  note: fewer than ${PANEL_SIZE} opponents: changes take longer to be found`]
      : []),
    ...(plan.n === 1
      ? ['  note: n = 1: one hypothesis a night says little; 4 find a drop in half the nights']
      : []),
  ];
}

/** What a night comes to without any cap: its verdicts as those of a round robin of as many matches. */
function nightForecast(plan: BenchPlan, matches: number): { wholeUsd: number; judgeUsd: number } {
  const pairs = (plan.candidates.length * (plan.candidates.length - 1)) / 2;
  const budgets = { ...plan.budgets, judgeUsd: Number.POSITIVE_INFINITY, benchUsd: null };
  const { bench, judge } = forecastBench({ ...plan, budgets, matches: Math.ceil(matches / pairs) });
  return { wholeUsd: bench.expectedUsd, judgeUsd: judge.expectedUsd };
}

function scheduleLines(
  { name, budgetUsd, schedule, plan }: NightlyRequest,
  nights: number | null,
  next: Date | undefined,
): string[] {
  const money = plan.isSimulated ? 'simulated $' : '$';
  const price =
    nights === null
      ? 'it has no time ahead'
      : `${money}${budgetUsd} × ${nights} = ${money}${formatSum(budgetUsd * nights)} a month at most`;
  return [
    `Schedule ${scheduleIdOf(name)}: ${schedule?.cron} (${schedule?.timeZone}), ${price}`,
    ...(schedule === null ? [] : skippedTimes(schedule, Date.now())).map(
      ({ day, time }) =>
        `  note: the clocks of ${schedule?.timeZone} skip ${time} on ${day}: a night due then does not begin`,
    ),
    ...(next
      ? [`next night ${momentText(next.toISOString())}; sooner: co-scientist nightly trigger ${name}`]
      : []),
  ];
}

function formatSum(usd: number): string {
  return Number.isInteger(usd) ? String(usd) : usd.toFixed(2);
}

function say(lines: readonly string[]): void {
  const width = widthOf(process.stdout);
  process.stdout.write(`${lines.flatMap((line) => hangingLines(line, width)).join('\n')}\n`);
}
