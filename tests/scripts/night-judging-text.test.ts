import type { BenchSummary } from '../../core/bench-summary';
import { factsOfRecord } from '../../core/report/facts-of-record';
import { summariseBench } from '../../core/summarise-bench';
import { withUnknownConduct } from '../../core/unkept-conduct';
import type { Nightly } from '../../db/nightlies';
import type { NightView } from '../../db/nightly-view';
import { coloursFor } from '../../scripts/bench/terminal';
import { nightlyText } from '../../scripts/nightly/nightly-text';
import { madeUp } from '../core/report/made-up';
import { asProgramsOfOldWroteIt, BIASED, panelNight } from '../core/report/panel-night';

const NIGHTLY = { name: 'aml', baseline: 1, alpha: 0.05 } as Nightly;
const NIGHT: NightView = {
  ...{ night: 7, kind: 'measured', baseline: 1, benchId: 'bnc_1', workflowId: 'w', benchState: 'finished' },
  ...{ startedAt: new Date(0), judgedAt: new Date(0), anchors: { favourites: 0.6, sides: [] } },
  ...{ judgeHighest: 1, hasJudgeDrifted: false, changes: [], toldState: null, toldDetail: null },
  ...{ costUsd: 1, nUnknownCost: 0, inDoubtUsd: 0, candidates: [] },
};
const SCREEN = {
  width: Number.POSITIVE_INFINITY,
  colours: coloursFor({ isTTY: false } as NodeJS.WriteStream),
};

let summary: BenchSummary;
beforeAll(async () => {
  const { record } = await madeUp();
  summary = summariseBench(factsOfRecord(panelNight(record, 'bnc_01J0000000000000000000000B')));
});

const shown = (summaries: [string, BenchSummary][]) =>
  nightlyText(NIGHTLY, [NIGHT], { note: null, summaries: new Map(summaries) }, SCREEN);

test('the last night’s flips stand in what show says of it: 2 of 8 pairs of verdicts, both the second judge’s', () => {
  const text = shown([['bnc_1', summary]]);
  expect(text).toContain(
    'night 7: 17 verdicts, 0 invalid; flip rate 25 % (2 of 8 pairs of verdicts; half-flips 1)',
  );
  expect(text).toContain(`${BIASED}: 9 verdicts, 0 invalid`);
  expect(text).toContain('2 flips, 1 half-flip');
  expect(text).toContain('said otherwise in 1 of 1 repeats');
});

test('of a night of old flips, bias and repeats are unknown, and no zero stands for them', () => {
  const text = shown([['bnc_1', withUnknownConduct(asProgramsOfOldWroteIt(summary))]]);
  expect(text).toContain('night 7: 17 verdicts, 0 invalid; flips unknown');
  expect(text).toContain('position bias, repeats and warnings unknown');
  expect(text).not.toMatch(/\b0 flips|flip rate|0 of 0/);
});

test('of a night whose bench has no summary it says that', () => {
  expect(shown([])).toContain('night 7: how it was judged is unknown');
});
