import type { BenchInput } from '../../../core/bench-input';
import { candidateScope, judgeScope } from '../../../core/ids';
import { sumUsd } from '../../../core/prices';
import type { RecordedBench } from '../../../core/report/recorded-bench';
import { readRecordedBench } from '../../../db/export-reads';
import { raiseBudget } from '../../../db/ledger';
import type { Bed } from '../in-lab';
import { startJournalDouble } from '../journal-double';
import type { Check } from './audit';
import { BenchRun } from './bench-run';
import { benchInput } from './bench-under-test';
import { answerByHash } from './models';
import { firstRequest, limitsFor, runInPeace } from './scenario';
import { drawTimeline } from './timeline';
import { Weather } from './weather';

/** Caps that stop a candidate after its first idea, and the judge half-way. */
const CAPS: Partial<BenchInput> = {
  goldSet: 'none',
  generation: { maxTurns: 8, maxToolCalls: 8, maxOutputTokens: 2_048 },
  budgetPerCandidateUsd: 0.022,
  judgeBudgetUsd: 0.6,
};
const RAISED_USD = 100;
const MATCHES = 4;

/**
 * A bench whose caps bite, under kills; then the caps are raised in its rows and it is resumed, under kills again.
 * No cap may be passed, every stop must say why, and the second part may pay for nothing that the first has.
 */
export async function runCaps(bed: Bed, seed: number, tell: (line: string) => void): Promise<Check[]> {
  const input = benchInput({ matches: MATCHES }, CAPS);
  const uncapped = benchInput({ matches: MATCHES }, { goldSet: 'none', generation: CAPS.generation ?? {} });
  const weather = new Weather(seed);
  const double = await startJournalDouble({ answer: answerByHash, before: (entry) => weather.before(entry) });
  const run = new BenchRun(bed, await bed.lab.createSite(), double, limitsFor(input), tell);
  try {
    await run.worker.untilReady();
    const undisturbed = await runInPeace(run, uncapped);
    double.journal.length = 0;
    weather.turnFoul(null);
    await run.start(input);
    await firstRequest(double);
    const stopped = await sufferAndRead(run, seed, tell);
    for (const { id } of stopped.budgets.filter(({ kind }) => kind !== 'bench')) {
      await raiseBudget(run.db, id, RAISED_USD);
    }
    await run.resume();
    const completed = await sufferAndRead(run, seed + 1, tell);
    return [...checkStopped(stopped), ...checkCompleted(stopped, completed, undisturbed)];
  } finally {
    await run.close();
    await double.stop();
  }
}

async function sufferAndRead(
  run: BenchRun,
  seed: number,
  tell: (line: string) => void,
): Promise<RecordedBench> {
  const counts = { kills: 2, postgresRestarts: 0, temporalRestarts: 0, terminations: 0 };
  await run.suffer(drawTimeline(seed, counts, 2_000), ({ blow }) =>
    tell(`caps: ${Object.values(blow).join(' ')}`),
  );
  await run.untilFinished();
  return readRecordedBench(run.db, run.benchId);
}

function checkStopped(bench: RecordedBench): Check[] {
  const overruns = bench.calls.filter(({ overrunUsd }) => (overrunUsd ?? 0) > 0);
  const overrunUsd = sumUsd(overruns.map((call) => call.overrunUsd ?? 0));
  const passed = bench.budgets.filter(
    ({ capUsd, heldUsd }) => capUsd !== null && heldUsd - overrunUsd > capUsd,
  );
  const slots = bench.hypotheses.filter(({ state }) => state === 'over_budget');
  const matches = bench.matches.filter(({ state }) => state === 'unplayed');
  const unexplained = [
    ...slots.filter(({ candidateId }) => !isExceeded(bench, candidateScope(candidateId))),
    ...matches.filter(({ reason }) => reason === null),
    ...matches.filter(
      ({ reason }) => reason === 'over_budget' && !isExceeded(bench, judgeScope(bench.run.benchId)),
    ),
  ];
  const held = bench.budgets
    .filter(({ capUsd }) => capUsd !== null)
    .map(({ kind, capUsd, heldUsd }) => `${kind} $${heldUsd.toFixed(3)} of $${capUsd}`);
  return [
    { name: 'caps: no cap is passed, overruns aside', isGood: passed.length === 0, found: held.join(', ') },
    {
      name: 'caps: overruns, shown',
      isGood: true,
      found: `${overruns.length} calls, $${overrunUsd.toFixed(4)}`,
    },
    {
      name: 'caps: some slots and some matches are stopped, each with its reason and a scope that was exceeded',
      isGood: slots.length > 0 && matches.length > 0 && unexplained.length === 0,
      found: `${slots.length} slots, ${matches.length} matches, ${unexplained.length} unexplained`,
    },
  ];
}

function isExceeded(bench: RecordedBench, scopeId: string): boolean {
  const budget = bench.budgets.find(({ id }) => id === scopeId);
  return budget !== undefined && (budget.exceededCapUsd !== null || budget.closedBy !== null);
}

function checkCompleted(
  stopped: RecordedBench,
  completed: RecordedBench,
  undisturbed: RecordedBench,
): Check[] {
  const settledBefore = new Set(
    stopped.calls.filter(({ state }) => state === 'settled').map(({ key }) => key),
  );
  const rowsBefore = new Set(stopped.calls.map(({ key, attempt }) => `${key}#${attempt}`));
  const added = completed.calls.filter(({ key, attempt }) => !rowsBefore.has(`${key}#${attempt}`));
  const again = added.filter(({ key }) => settledBefore.has(key));
  const keys = (bench: RecordedBench): number =>
    new Set(bench.calls.filter(({ state }) => state === 'settled').map(({ key }) => key)).size;
  const kept = (bench: RecordedBench): string =>
    bench.candidates.map(({ label, nHypotheses }) => `${label} ${nHypotheses}`).join(', ');
  const played = (bench: RecordedBench): number =>
    bench.matches.filter(({ state }) => state === 'played').length;
  const stillStopped = completed.matches.filter(({ reason }) => reason === 'over_budget').length;
  return [
    {
      name: 'caps raised and resumed: nothing that was paid for is asked again',
      isGood: again.length === 0 && added.length > 0,
      found: `${added.length} requests added, ${again.length} of keys that had been settled`,
    },
    {
      name: 'caps raised and resumed: the bench is as large as one without caps',
      isGood:
        kept(completed) === kept(undisturbed) &&
        played(completed) === played(undisturbed) &&
        stillStopped === 0,
      found: `${kept(completed)}; ${played(completed)} matches played (${played(undisturbed)} without caps)`,
    },
    {
      name: 'caps raised and resumed: as many answers were bought as without caps',
      isGood: keys(completed) === keys(undisturbed),
      found: `${keys(completed)} settled keys, ${keys(undisturbed)} without caps`,
    },
  ];
}
