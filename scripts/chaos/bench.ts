import { parseArgs } from 'node:util';
import { runCaps } from './bench/caps-scenario';
import { type ChaosPlan, type ChaosReport, runChaos } from './bench/scenario';
import type { Blow } from './bench/timeline';
import { checkTable } from './check-table';
import { inLab } from './in-lab';

/**
 * Does a bench survive whatever is killed when? One bench in peace, the same under kills of its worker, restarts of
 * Postgres and Temporal and terminations of its workflow, over models that fail; then one whose caps bite. Prints
 * what must hold and whether it does, and exits 1 when something does not.
 *
 *   npm run chaos
 *   npm run chaos -- --kills 100 --seed 7
 *   npm run chaos -- --kills 0              the caps alone
 */
const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
    /** Kills are 5 s to 5 s and so many seconds apart. */
    spread: { type: 'string', default: '10' },
  },
});

async function main(): Promise<void> {
  const startedAt = performance.now();
  const kills = Number(values.kills);
  const plan: ChaosPlan = {
    seed: Number(values.seed),
    counts: { kills, postgresRestarts: 5, temporalRestarts: 3, terminations: 2 },
    spreadMs: 1_000 * Number(values.spread),
    matches: Math.max(8, Math.ceil(1.2 * kills)),
    isGraded: true,
  };
  const isGood = await inLab(async (bed) => {
    const report = kills > 0 ? await runChaos(bed, plan, (line) => console.error(line)) : null;
    if (report) printChaos(report);
    const caps = await runCaps(bed, plan.seed, (line) => console.error(line));
    console.log(`\n${checkTable(caps)}`);
    return [...(report?.checks ?? []), ...caps].every((check) => check.isGood);
  });
  console.log(`\n${Math.round((performance.now() - startedAt) / 1000)} s in all`);
  if (!isGood) process.exitCode = 1;
}

function printChaos(report: ChaosReport): void {
  const { fallen, requests, faults, workerStarts, wallMs } = report;
  const count = (kind: Blow['kind']): number => fallen.filter(({ blow }) => blow.kind === kind).length;
  const withKill = fallen.filter(({ blow }) => blow.kind === 'kill' && blow.of !== 'worker').length;
  console.log(
    `worker killed ${count('kill')} times and started ${workerStarts} times, ` +
      `Postgres restarted ${count('postgres')} times, ` +
      `Temporal ${count('temporal')} times, workflow terminated and resumed ${count('terminate') + withKill} times; ` +
      `${requests} requests, ${faults} of them made to fail; ${Math.round(wallMs / 1000)} s\n`,
  );
  console.log(checkTable(report.checks));
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
