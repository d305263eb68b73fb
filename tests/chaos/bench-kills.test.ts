import { type ChaosReport, runChaos } from '../../scripts/chaos/bench/scenario';
import { inLab } from '../../scripts/chaos/in-lab';

/** The smallest of what `npm run chaos` does: servers and worker processes of its own, all really killed. */
let report: ChaosReport;
beforeAll(async () => {
  report = await inLab((bed) =>
    runChaos(
      bed,
      {
        seed: 1,
        counts: { kills: 5, postgresRestarts: 1, temporalRestarts: 1, terminations: 1 },
        spreadMs: 1_000,
        matches: 6,
        isGraded: false,
      },
      () => {},
    ),
  );
}, 300_000);

test('5 kills of the worker at least 5 s apart, a restart of Postgres, one of Temporal and a workflow ended and resumed all fall', () => {
  const kinds = report.fallen.map(({ blow }) => blow.kind);
  expect(kinds.filter((kind) => kind === 'kill')).toHaveLength(5);
  expect(kinds.filter((kind) => kind !== 'kill').sort()).toEqual(['postgres', 'temporal', 'terminate']);
  const kills = report.fallen.filter(({ blow }) => blow.kind === 'kill').map(({ at }) => at);
  const gaps = kills.slice(1).map((at, i) => at - kills[i]!);
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(4_990); // of clocks that round
  expect(report.workerStarts).toBeGreaterThanOrEqual(6);
  expect(report.faults).toBeGreaterThan(0);
});

test('hypotheses, reviews, verdicts, matches and ratings are identical to the run nothing disturbed, no settled key is sent twice, and every failure is told and none scored', () => {
  expect(report.checks.filter(({ isGood }) => !isGood)).toEqual([]);
  expect(report.checks).toHaveLength(18);
});
