import { createColors } from 'picocolors';
import type { BenchProgress, CandidateProgress, ScopeProgress } from '../../db/progress';
import { progressEvents } from '../../scripts/bench/progress-events';
import { formatElapsed, progressLines } from '../../scripts/bench/progress-view';

const colours = createColors(false);
const BENCH_ID = 'bnc_01J0000000000000000000000A';
const SCOPE: ScopeProgress = { costUsd: 0, nUnknownCost: 0, inDoubtUsd: 0, nOut: 0, unanswered: {} };

function candidate(label: string, changes: Partial<CandidateProgress> = {}): CandidateProgress {
  return {
    ...SCOPE,
    label,
    mode: 'direct',
    state: 'generating',
    failureKind: null,
    holdReason: null,
    nPlanned: 4,
    slots: { planned: 4 },
    failures: {},
    turn: 0,
    ...changes,
  };
}

function progress(changes: Partial<BenchProgress> = {}): BenchProgress {
  const candidates = changes.candidates ?? [candidate('one'), candidate('two')];
  const judges = [{ provider: 'sim', model: 'referee' }];
  const plan = {
    candidates: candidates.map(({ label }) => ({ label, provider: 'sim' })),
    judges,
    matches: 2,
    probe: true,
    isSimulated: true,
  } as unknown as BenchProgress['plan'];
  return {
    benchId: BENCH_ID,
    workflowId: `bench-${BENCH_ID}`,
    state: 'running',
    failure: null,
    holdReason: null,
    createdAt: new Date(0),
    finishedAt: null,
    plan,
    judge: { ...SCOPE, verdicts: 0, invalid: {} },
    matches: { scheduled: 0, played: 0, unplayed: {} },
    total: SCOPE,
    ...changes,
    candidates,
  };
}

describe('live progress', () => {
  const lines = (state: BenchProgress, width = 80, height = 24) =>
    progressLines(state, { width, height, nowMs: 65_000, colours });

  test('it says of each candidate its turn, what is written of what is planned, its dollars and its failures', () => {
    const busy = candidate('one', {
      slots: { planned: 1, draft: 2, failed: 1 },
      turn: 3,
      costUsd: 0.0123,
      failures: { truncated: 1 },
    });
    const shown = lines(progress({ candidates: [busy, candidate('two')] }));
    expect(shown[0]).toContain('simulated · generating · 1 min 05 s');
    expect(shown[1]?.trim().split(/\s{2,}/)).toEqual([
      'one',
      'turn 3',
      '2/4',
      '$0.0123',
      'failed: truncated 1',
    ]);
  });

  test('verdicts are counted of those that can be had: 2 matches, one without a hypothesis, is 2 verdicts', () => {
    const judging = progress({
      judge: { ...SCOPE, verdicts: 1, invalid: { no_call: 1 }, costUsd: 0.5 },
      matches: { scheduled: 2, played: 0, unplayed: { no_hypothesis: 1 } },
    });
    expect(lines(judging).at(-1)).toContain('1/2 verdicts, 0/1 matches  $0.5000  invalid: no_call 1');
  });

  test('200 candidates fit a screen of 24 rows: those at work are shown, the rest is counted', () => {
    const many = Array.from({ length: 200 }, (_, i) =>
      candidate(`c${i}`, i === 150 ? {} : { state: 'ready', slots: { reviewed: 4 } }),
    );
    const shown = lines(progress({ candidates: many }));
    expect(shown.length).toBeLessThanOrEqual(24);
    expect(shown.join('\n')).toMatch(/\bc150\b/);
    expect(shown.join('\n')).toContain('and 183 more: ready 183');
  });

  test.each([40, 60, 80, 120])('at %d columns no line is longer', (width) => {
    const held = candidate('a-label-of-some-length'.repeat(2), { holdReason: 'unauthorized' });
    for (const line of lines(progress({ candidates: [held, candidate('two')] }), width)) {
      expect(line.length).toBeLessThan(width);
    }
  });

  test('what is asked again is said, and what no asking mends is not said to be', () => {
    const asked = candidate('one', { unanswered: { rate_limited: 2, unauthorized: 1 } });
    expect(lines(progress({ candidates: [asked, candidate('two')] }))[1]).toMatch(
      /asked again: rate_limited 2$/,
    );
  });

  test('a held candidate says why, and how to go on', () => {
    const text = lines(
      progress({ candidates: [candidate('one', { holdReason: 'unauthorized' })] }),
      200,
    ).join('\n');
    expect(text).toContain('held: unauthorized');
    expect(text).toContain(`co-scientist unpause ${BENCH_ID}`);
  });
});

describe('progress in lines', () => {
  test('what did not change is not said again', () => {
    expect(progressEvents(null, progress())).toEqual(['generating']);
    expect(progressEvents(progress(), progress())).toEqual([]);
  });

  test('a candidate that is ready, a failure and every tenth of the verdicts are a line each', () => {
    const ready = candidate('one', {
      state: 'ready',
      slots: { reviewed: 3, failed: 1 },
      costUsd: 0.25,
      failures: { refused: 1 },
    });
    const now = progress({
      candidates: [ready, candidate('two')],
      judge: { ...SCOPE, verdicts: 1, invalid: {}, costUsd: 0.5 },
      matches: { scheduled: 2, played: 0, unplayed: {} },
    });
    expect(progressEvents(progress(), now)).toEqual([
      'one: failed: refused 1',
      'one: ready, 3 of 4 hypotheses, $0.2500',
      'judge: 1 of 4 verdicts, 0 of 2 matches, $0.5000',
    ]);
  });
});

test.each([
  [0, '0 s'],
  [59_400, '59 s'],
  [65_000, '1 min 05 s'],
  [7_380_000, '2 h 03 min'],
  [-5, '0 s'],
])('%d ms have passed: %s', (ms, text) => {
  expect(formatElapsed(ms)).toBe(text);
});
