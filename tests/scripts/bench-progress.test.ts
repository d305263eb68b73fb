import { createColors } from 'picocolors';
import type { BenchProgress, CandidateProgress, ScopeProgress, SubjectProgress } from '../../db/progress';
import { progressEvents } from '../../scripts/bench/progress-events';
import { formatElapsed, progressLines } from '../../scripts/bench/progress-view';
import { toCome } from '../../scripts/bench/to-come';

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

/** $1 and $5 a million tokens, no cap near, 2 matches a pair, no review. */
function planOf(candidates: CandidateProgress[], provider: string): BenchProgress['plan'] {
  const price = { inputUsdPerMTok: 1, outputUsdPerMTok: 5 };
  return {
    candidates: candidates.map(({ label }) => ({ label, provider, model: label, mode: 'direct', price })),
    judges: [{ provider, model: 'referee', price }],
    reviewer: null,
    n: 4,
    matches: 2,
    orders: 'both',
    repeatShare: 0,
    seed: 1,
    probe: true,
    isSimulated: provider === 'sim',
    budgets: { perCandidateUsd: 3, judgeUsd: 5, benchUsd: null },
    generation: { maxTurns: 12, maxToolCalls: 30, maxOutputTokens: 8192 },
    maxInFlight: 50,
    scipivot: null,
  } as unknown as BenchProgress['plan'];
}

function progress(changes: Partial<BenchProgress> = {}): BenchProgress {
  const candidates = changes.candidates ?? [candidate('one'), candidate('two')];
  const plan = planOf(candidates, 'sim');
  return {
    benchId: BENCH_ID,
    workflowId: `bench-${BENCH_ID}`,
    state: 'running',
    failure: null,
    holdReason: null,
    createdAt: new Date(0),
    finishedAt: null,
    workMs: 65_000,
    writingMs: 0,
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
    progressLines(state, { width, height, colours });

  test('it says of each candidate its turn, what is written of what is planned, its dollars and its failures', () => {
    const busy = candidate('one', {
      slots: { planned: 1, draft: 2, failed: 1 },
      turn: 3,
      costUsd: 0.0123,
      failures: { truncated: 1 },
    });
    const shown = lines(progress({ candidates: [busy, candidate('two')] }));
    expect(shown[0]).toContain('simulated · generating · 1 min 05 s');
    expect(
      shown
        .find((line) => line.startsWith('  one '))
        ?.trim()
        .split(/\s{2,}/),
    ).toEqual(['one', 'turn 3', '2/4', '$0.0123', 'failed: truncated 1']);
  });

  test('verdicts are counted of those that can be had: 2 matches, one without a hypothesis, is 2 verdicts', () => {
    const judging = progress({
      judge: { ...SCOPE, verdicts: 1, invalid: { no_call: 1 }, costUsd: 0.5 },
      matches: { scheduled: 2, played: 0, unplayed: { no_hypothesis: 1 } },
    });
    expect(lines(judging).at(-1)).toContain('1/2 verdicts, 0/1 matches  $0.5000  invalid: no_call 1');
  });

  test('after a drop its matches are awaited no more: of 6 matches 3 are left, so 6 verdicts, and the 2 it had', () => {
    const three = ['one', 'two', 'gone'].map((label) =>
      candidate(
        label,
        label === 'gone' ? { state: 'dropped' } : { state: 'ready', slots: { in_tournament: 4 } },
      ),
    );
    const judging = progress({
      candidates: three,
      judge: { ...SCOPE, verdicts: 4, verdictsOfDropped: 2, invalid: {}, costUsd: 0.4 },
      matches: { scheduled: 6, played: 1, unplayed: { dropped: 3 } },
    });
    expect(lines(judging).at(-1)).toContain('4/8 verdicts, 1/3 matches  $0.4000  unplayed: dropped 3');
    // Four are to come at $0.10.
    expect(toCome(judging).usd).toBeCloseTo(0.4, 12);
  });

  test('dropped before there is a schedule, it has no matches: 2 of 3 candidates with 2 matches a pair are 4 verdicts', () => {
    const three = ['one', 'two', 'gone'].map((label) =>
      candidate(label, label === 'gone' ? { state: 'dropped' } : {}),
    );
    expect(lines(progress({ candidates: three })).at(-1)).toContain('0/4 verdicts, 0/2 matches');
  });

  test('200 candidates fit a screen of 24 rows: those at work are shown, the rest is counted', () => {
    const many = Array.from({ length: 200 }, (_, i) =>
      candidate(`c${i}`, i === 150 ? {} : { state: 'ready', slots: { reviewed: 4 } }),
    );
    const shown = lines(progress({ candidates: many }));
    expect(shown.length).toBeLessThanOrEqual(24);
    expect(shown.join('\n')).toMatch(/\bc150\b/);
    expect(shown.join('\n')).toContain('and 184 more: ready 184');
  });

  test.each([40, 60, 80, 120])('at %d columns no line is longer', (width) => {
    const held = candidate('a-label-of-some-length'.repeat(2), { holdReason: 'unauthorized' });
    for (const line of lines(progress({ candidates: [held, candidate('two')] }), width)) {
      expect(line.length).toBeLessThan(width);
    }
  });

  test.each([40, 60, 80, 120])('at %d columns the head is whole, over as many lines as it needs', (width) => {
    const shown = lines(progress({ candidates: [candidate('one'), candidate('two')] }), width);
    const head = shown
      .slice(
        0,
        shown.findIndex((line) => line.startsWith('  one ')),
      )
      .join('\n');
    expect(head.replace(/\s+/g, ' ')).toMatch(
      / · generating · 1 min 05 s · about \$\d\.\d{4} to come, time unknown$/,
    );
  });

  test('a candidate without a slot, as where a data set alone is asked, has no count of 0/0', () => {
    const alone = candidate('one', { nPlanned: 0, state: 'ready' });
    expect(lines(progress({ candidates: [alone] })).join('\n')).not.toContain('0/0  ');
  });

  test('what is asked again is said, and what no asking mends is not said to be', () => {
    const asked = candidate('one', { unanswered: { rate_limited: 2, unauthorized: 1 } });
    const shown = lines(progress({ candidates: [asked, candidate('two')] }));
    expect(shown.find((line) => line.startsWith('  one '))).toMatch(/asked again: rate_limited 2$/);
  });

  test('a held candidate says why, and how to go on', () => {
    const text = lines(
      progress({ candidates: [candidate('one', { holdReason: 'unauthorized' })] }),
      200,
    ).join('\n');
    expect(text).toContain('held: unauthorized');
    expect(text).toContain(`go on: co-scientist unpause ${BENCH_ID}\n`);
    expect(text).toContain(`go on without one: co-scientist drop ${BENCH_ID} one\n`);
    expect(text).toContain(`end it: co-scientist cancel ${BENCH_ID} `);
  });
});

describe('what is to come', () => {
  const real = (changes: Partial<BenchProgress>): BenchProgress => {
    const whole = progress(changes);
    return { ...whole, plan: planOf(whole.candidates, 'openai') };
  };
  const over = (label: string) => candidate(label, { state: 'ready', slots: { reviewed: 4 }, costUsd: 1 });

  test('of a judge with 10 verdicts in 20 s for $0.20, of 40: 60 s and $0.60', () => {
    const judging = real({
      candidates: [over('one'), over('two')],
      judge: { ...SCOPE, verdicts: 10, invalid: {}, costUsd: 0.2, pace: { verdicts: 10, overMs: 20_000 } },
      matches: { scheduled: 20, played: 5, unplayed: {} },
    });
    const plan = { ...judging.plan, matches: 20 };
    expect(toCome({ ...judging, plan })).toEqual({ ms: 60_000, usd: expect.closeTo(0.6, 10) });
  });

  test('of a candidate with 2 of 4 slots ended at $0.30, those at work half-way: $0.10, and nothing of one that is ready', () => {
    const half = candidate('two', { slots: { draft: 2, planned: 2 }, costUsd: 0.3 });
    const judge = { ...SCOPE, verdicts: 1, invalid: {} };
    const { usd } = toCome(real({ candidates: [over('one'), half], judge }));
    expect(usd).toBeCloseTo(0.1, 10);
  });

  test('of a candidate whose slots have all ended nothing, though it is being reviewed; of one between two runs its next', () => {
    const judge = { ...SCOPE, verdicts: 1, invalid: {} };
    const reviewed = candidate('one', { slots: { draft: 4 }, costUsd: 0.4 });
    const between = candidate('two', { state: 'ready', slots: { reviewed: 2, planned: 2 }, costUsd: 0.3 });
    expect(toCome(real({ candidates: [reviewed], judge })).usd).toBe(0);
    expect(toCome(real({ candidates: [between], judge })).usd).toBeCloseTo(0.1, 10);
  });

  test('of 496 sessions of SciΠvot before the first: what is forecast, $0.744; of 124 ended at $0.10: $0.30; of all: nothing', () => {
    const asked = (nEnded: number, costUsd: number) => {
      const ready = candidate('one', { state: 'ready', nPlanned: 0, slots: {}, costUsd });
      const state = nEnded === 496 ? 'asked' : 'asking';
      const subject = { subject: 'one', role: 'candidate', state, holdReason: null, nEnded, nSessions: 496 };
      const asking = real({
        candidates: [ready],
        scipivot: [{ ...subject, unanswered: {} } as SubjectProgress],
      });
      const plan = { ...asking.plan, n: 0, matches: 0, judges: [], scipivot: 'fixture' };
      return toCome({ ...asking, plan }).usd;
    };
    // 500 tokens in at $1 and 200 out at $5 a million, 496 times.
    expect(asked(0, 0)).toBeCloseTo(0.744, 10);
    expect(asked(124, 0.1)).toBeCloseTo(0.3, 10);
    expect(asked(496, 0.4)).toBe(0);
  });

  test('a call of unknown cost leaves the dollars to come unknown, and not the time', () => {
    const { usd, ms } = toCome(real({ total: { ...SCOPE, nUnknownCost: 1 } }));
    expect(usd).toBeNull();
    expect(ms).toBeGreaterThan(0);
  });

  test.each([['paused'], ['finished'], ['planned']] as const)(
    'nothing is said of a bench that is %s',
    (state) => {
      expect(toCome(real({ state }))).toEqual({ usd: null, ms: null });
    },
  );

  const headOf = (changes: Partial<BenchProgress>, workMs: number) =>
    progressLines(real({ ...changes, workMs }), { width: 200, height: 24, colours })[0];

  test('it stands in the head of the live view: generation is expected to take 20 s, 4 verdicts 8 s', () => {
    expect(headOf({ writingMs: 5_000 }, 5_000)).toMatch(
      / · generating · 5 s · about 23 s and \$\d\.\d{4} to come$/,
    );
  });

  test('it says nothing where 0 s and $0 are left, and 1 s where less than that is', () => {
    const candidates = [over('one'), over('two')];
    const pace = { verdicts: 4, overMs: 400 };
    const matches = { scheduled: 2, played: 2, unplayed: {} };
    const judged = (verdicts: number) => ({ ...SCOPE, verdicts, invalid: {}, costUsd: 0.4, pace });
    expect(headOf({ candidates, matches, judge: judged(4) }, 5_000)).not.toContain('to come');
    expect(headOf({ candidates, matches, judge: judged(3) }, 5_000)).toContain(
      'about 1 s and $0.1333 to come',
    );
  });

  test('of a bench resumed after a year it is what 5 s of work have left, 23 s; and the year is not said to be work', () => {
    const createdAt = new Date(Date.now() - 365 * 86_400_000);
    expect(headOf({ writingMs: 5_000, createdAt }, 5_000)).toMatch(/ · generating · 5 s · about 23 s and /);
  });

  test('at work for longer than expected, how much longer is unknown, and said to be: never 0 s, or the 8 s of judging', () => {
    expect(headOf({ writingMs: 20_000 }, 20_000)).toMatch(/ · about \$\d\.\d{4} to come, time unknown$/);
    const total = { ...SCOPE, nUnknownCost: 1 };
    expect(headOf({ total }, 0)).toMatch(/ · about 28 s to come, dollars unknown$/);
    expect(headOf({ total, writingMs: 20_000 }, 20_000)).toMatch(/ · generating · 20 s$/);
  });
});

describe('progress in lines', () => {
  test('what did not change is not said again', () => {
    const [first, ...others] = progressEvents(null, progress());
    expect(first).toMatch(/^generating/);
    expect(others).toEqual([]);
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
      // The judge's 3 at $0.50; of `two` nothing has ended: 4 times 1,300 tokens at $1 and 1,500 at $5 a million.
      'judge: 1 of 4 verdicts, 0 of 2 matches, $0.5000; about $1.5352 to come, time unknown',
    ]);
  });

  test('a bench that ends between two looks says so in its last line, after what its 1 candidate came to', () => {
    const ready = candidate('one', { state: 'ready', slots: { reviewed: 4 }, costUsd: 0.25 });
    const now = progress({ state: 'finished', finishedAt: new Date(1), candidates: [ready] });
    expect(progressEvents(progress({ candidates: [candidate('one')] }), now)).toEqual([
      'one: ready, 4 of 4 hypotheses, $0.2500',
      'finished',
    ]);
  });

  test('matches that show as played only after the last of 4 verdicts are said once: 2 of 2', () => {
    const judge = { ...SCOPE, verdicts: 4, invalid: {}, costUsd: 2 };
    const judged = (played: number) => progress({ judge, matches: { scheduled: 2, played, unplayed: {} } });
    const said = (before: BenchProgress, now: BenchProgress) =>
      progressEvents(before, now).filter((event) => event.startsWith('judge: '));
    expect(said(progress(), judged(1))).toEqual(['judge: 4 of 4 verdicts, 1 of 2 matches, $2.0000']);
    expect(said(judged(1), judged(2))).toEqual(['judge: 4 of 4 verdicts, 2 of 2 matches, $2.0000']);
    expect(said(judged(2), judged(2))).toEqual([]);
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
