import { costPlot, missingFromCostPlot } from '../../../activities/reporting/html/plots/cost-plot';
import { drawPlot } from '../../../activities/reporting/html/plots/draw-plot';
import { reportOptions } from '../../../activities/reporting/report-options';
import { type BenchReport, reportBench } from '../../../core/report/bench-report';
import { madeUp } from '../../core/report/made-up';

let report: BenchReport;
beforeAll(async () => {
  report = reportBench((await madeUp()).record, reportOptions());
});

/** Upright lines of the wide drawing: those of the grid have the rule's colour. */
function bars(of: BenchReport): number {
  const [wide = ''] = drawPlot(costPlot(of)!).text.split('class="narrow"');
  return wide.match(/stroke="var\(--(pipeline|raw)\)" stroke-width="1.5"/g)?.length ?? 0;
}

test('each of 4 ratings stands with its interval: nobody is ranked by a dot alone', () => {
  expect(bars(report)).toBe(4);
  expect(missingFromCostPlot(report)).toEqual([]);
});

test('a candidate whose cost is in doubt in part has no place in it, and is named', () => {
  const [first, ...rest] = report.candidates;
  const doubtful = { ...report, candidates: [{ ...first!, inDoubtUsd: 0.1 }, ...rest] };
  expect(bars(doubtful)).toBe(3);
  expect(missingFromCostPlot(doubtful)).toEqual([first!.label]);
});

test('of a bench without ratings there is none', () => {
  expect(costPlot({ ...report, ratings: null })).toBeNull();
});
