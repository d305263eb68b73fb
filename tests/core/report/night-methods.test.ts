import { nightMatches } from '../../../activities/night-matches';
import type { BenchSummary } from '../../../core/bench-summary';
import { choosePanel } from '../../../core/nightly/panel';
import { reportBench } from '../../../core/report/bench-report';
import { methodsText } from '../../../core/report/methods';
import { nightDesignOf } from '../../../core/report/night-design';
import type { RecordedBench } from '../../../core/report/recorded-bench';
import { madeUp } from './made-up';
import { panelNight } from './panel-night';

const PINNED = 'bnc_01J0000000000000000000000B';

let bench: RecordedBench;
beforeAll(async () => {
  ({ record: bench } = await madeUp());
});

const methodsOf = (record: RecordedBench) =>
  methodsText(reportBench(record, { goldSets: [], themeSets: [], rubrics: [] }), {});

/** A night as the tournament schedules it: its 4 candidates' 3 slots against 14 texts of 4 pinned candidates. */
function wholeNight(anchors?: number): RecordedBench {
  const pinned = ['a', 'b', 'c', 'd'].flatMap((label, c) =>
    [1, 2, 3, 4].map((k) => ({
      ...{ hypothesisId: `${PINNED}/${label}/${k}`, candidateId: `${PINNED}/${label}` },
      elo: 1200 + 10 * c + k,
    })),
  );
  const schedule = nightMatches({ n: 3, matches: 2 }, bench.candidates, choosePanel(pinned, 14, anchors));
  const [like] = bench.matches;
  const waiting = { state: 'planned', reason: null, winner: null, scoreA: null, agreement: null } as const;
  return {
    ...bench,
    run: {
      ...bench.run,
      ...{ summary: null as BenchSummary | null, ratings: null, plan: { ...bench.run.plan, matches: 2 } },
    },
    matches: schedule.map((match) => ({
      ...like!,
      ...match,
      ...waiting,
      id: `m${match.index}`,
      verdicts: [],
    })),
  };
}

test('a night of 4 candidates with 2 matches an opponent is 112 matches against 14 texts, and 56 anchors', () => {
  // By hand: 4 × 14 × 2; 56 anchors by docs/guide/nightly.md.
  expect(nightDesignOf(wholeNight())).toEqual({ pinned: [PINNED], opponents: 14, fresh: 112, anchors: 56 });
  expect(nightDesignOf(bench)).toBeNull();
  expect(nightDesignOf({ ...bench, matches: [] })).toBeNull();
});

test('its methods say what a night does, and nowhere that every pair was scheduled', () => {
  const text = methodsOf(wholeNight());
  expect(text).toContain('4 candidates were held against a frozen panel on one goal');
  expect(text).toContain('no candidate met another');
  expect(text).toContain(
    `against a frozen panel, the same 14 hypotheses of ${PINNED} every night: each opponent in 2 matches a candidate (112 in all)`,
  );
  expect(text).toContain('56 matches within the panel, whose texts never change, were judged again');
  expect(text).toContain(
    'every fresh hypothesis was first reviewed by sim:referee, those of the panel as in their own',
  );
  expect(text).toContain('Of 168 matches 0 were played');
  expect(text).not.toMatch(/every pair|dealt in turn from seed|were compared/i);
});

test('without anchors it says what cannot be told then', () => {
  const text = methodsOf(wholeNight(0));
  expect(text).toContain(
    'No match within the panel was judged again, so a change of the judge cannot be told',
  );
  expect(text).toContain('Of 112 matches 0 were played');
});

test('in place of ratings it says what a score of the night is, and who tells of a change', () => {
  const text = methodsOf(panelNight(bench, PINNED));
  expect(text).toContain('There are no ratings: its matches are a night’s');
  expect(text).toContain('score of the night is the mean score of its matches against the panel');
  expect(text).toContain('left out where fewer than 50 % of them were played');
});

test('a bench says as before that every pair was scheduled; one without a schedule yet claims none', () => {
  expect(methodsOf(bench)).toContain('Every pair of candidates was scheduled for 4 matches (24 in all)');
  const waiting = { ...bench, run: { ...bench.run, summary: null, ratings: null }, matches: [] };
  expect(methodsOf(waiting)).toContain('No match is scheduled yet.');
  const none = { ...waiting, run: { ...waiting.run, plan: { ...bench.run.plan, matches: 0 } } };
  expect(methodsOf(none)).toContain('No match was planned.');
});
