import { WorkflowFailedError } from '@temporalio/client';
import { ApplicationFailure, RetryState, TerminatedFailure } from '@temporalio/common';
import fc from 'fast-check';
import type { BenchSummary, CandidateRank, CandidateSummary } from '../../core/bench-summary';
import { costText, tokensText, usdText } from '../../core/report/figure-text';
import { readTakeOverReason, takeOverReason } from '../../core/take-over-reason';
import { benchFailure } from '../../scripts/bench/bench-failure';
import { benchListText } from '../../scripts/bench/bench-list-text';
import { costGaps } from '../../scripts/bench/cost-gaps';
import { printable } from '../../scripts/bench/printable';
import { resultTable } from '../../scripts/bench/result-table';
import { coloursFor } from '../../scripts/bench/terminal';
import { textWidth } from '../../scripts/bench/text-width';
import { hangingLines } from '../../scripts/bench/wrapped-text';

const NO_GAPS = { nUnknownCost: 0, inDoubtUsd: 0 };

describe('text from models', () => {
  test('colours, titles, links and cursor moves are taken out; their words stay', () => {
    expect(printable('a \u001b[31mred\u001b[0m \u001b]0;owned\u0007word\u001b[2J')).toBe('a red word');
  });

  test('line breaks and tabs become one blank, other control and reordering characters U+FFFD', () => {
    expect(printable('two\r\n\tlines')).toBe('two lines');
    expect(printable('bell\u0007 c1\u009b2J null\u0000 rtl\u202etxt')).not.toMatch(/[\p{Cc}\u202e]/u);
  });

  test('nothing that any text holds reaches the terminal as a control character', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('\u001b[', '\u009b', '\u001b]8;;', '\u0007', '31m'),
    );
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        expect(printable(pieces.join(''))).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u);
      }),
    );
  });

  test('letters of all scripts, Greek ones and emoji stay as they are', () => {
    expect(printable('TGF-β, 一, é, 🧪')).toBe('TGF-β, 一, é, 🧪');
  });
});

describe('the list of benches', () => {
  const bench = {
    benchId: 'bnc_01KQTEST00000000000000TEST',
    state: 'finished' as const,
    preset: null,
    goal: 'Which enzyme is the one that limits how fast all of it goes?',
    nCandidates: 3,
    simulated: true,
    leaders: ['alder'],
    createdAt: new Date(0),
    finishedAt: new Date(0),
    costUsd: 0.5,
    ...NO_GAPS,
  };
  const at = (width: number) =>
    benchListText([bench], { width, colours: coloursFor({ isTTY: false } as NodeJS.WriteStream), nowMs: 0 });

  test('cuts what a bench is about to the terminal before it makes several tables', () => {
    const whole = at(Number.POSITIVE_INFINITY);
    expect(whole).toContain('3 candidates, Which enzyme is the one that limits how fast ');
    for (let width = textWidth(whole); width >= textWidth(whole) - 36; width--) {
      expect(textWidth(at(width).split('\n').slice(0, 2).join('\n'))).toBeLessThanOrEqual(width);
      expect(at(width)).toContain('3 candidates, Which e');
    }
  });

  test('says what sim. means where a bench has it, at 100 columns and in the 4 tables of 40', () => {
    expect(at(100)).toContain('sim.: some or all');
    expect(at(40)).toContain('sim.: some or all');
    expect(at(40).split('\n\n')).toHaveLength(4);
  });
});

describe('money', () => {
  test.each([
    [0, '$0.0000'],
    [0.1234, '$0.1234'],
    [12.34567, '$12.3457'],
    [0.00001, '< $0.0001'],
  ])('%d is shown as %s', (usd, text) => {
    expect(usdText(usd)).toBe(text);
  });

  test('an unknown cost is "unknown", never $0; a partly known one is a lower bound', () => {
    expect(costText({ costUsd: 0, nUnknownCost: 2, inDoubtUsd: 0 })).toBe('unknown');
    expect(costText({ costUsd: 0, nUnknownCost: 0, inDoubtUsd: 0.2 })).toBe('unknown');
    expect(costText({ costUsd: 0.5, nUnknownCost: 1, inDoubtUsd: 0 })).toBe('≥ $0.5000');
    expect(costText({ costUsd: 0, ...NO_GAPS })).toBe('$0.0000');
  });

  test('what is not in a sum is said with its count and its bound', () => {
    expect(costGaps({ costUsd: 1, nUnknownCost: 1, inDoubtUsd: 0.25 }, true)).toBe(
      '1 call of unknown cost, up to $0.2500 in doubt',
    );
    expect(costGaps({ costUsd: 1, ...NO_GAPS }, true)).toBeNull();
  });

  test.each([
    [999, '999'],
    [1000, '1.0k'],
    [99_949, '99.9k'],
    [99_950, '100k'],
    [999_499, '999k'],
    [999_500, '1.0M'],
    [1_234_567, '1.2M'],
  ])('%d tokens are %s', (tokens, text) => {
    expect(tokensText(tokens)).toBe(text);
  });
});

const RANK: CandidateRank = {
  rank: 1,
  rating: 1043.6,
  ratingLow: 980.2,
  ratingHigh: 1107.4,
  rankLow: 1,
  rankHigh: 2,
  letters: 'a',
};
const NO_RANK: CandidateRank = {
  rank: null,
  rating: null,
  ratingLow: null,
  ratingHigh: null,
  rankLow: null,
  rankHigh: null,
  letters: null,
};
const CANDIDATE: CandidateSummary = {
  ...RANK,
  label: 'gemini-2-flash-thinking[pipe]',
  provider: 'openrouter',
  model: 'google/gemini-2.0-flash-001',
  mode: 'pipeline',
  nPlanned: 4,
  nHypotheses: 2,
  wins: 10,
  losses: 3,
  ties: 1,
  asRun: RANK,
  meanElo: 1234.4,
  topElo: 1300.6,
  goldHits: 1,
  goldHitNames: ['Leflunomide'],
  costUsd: 0.1234,
  ...NO_GAPS,
  inputTokens: 19_200,
  outputTokens: 1_800,
  failures: { truncated: 1, duplicate: 1 },
};
const SUMMARY: BenchSummary = {
  format: 1,
  benchId: 'bnc_01J0000000000000000000000A',
  status: 'finished',
  simulated: false,
  seed: 1,
  replicates: 1,
  isDriftLeftOut: false,
  candidates: [
    CANDIDATE,
    {
      ...CANDIDATE,
      ...NO_RANK,
      label: 'x'.repeat(63).concat('Z'),
      asRun: NO_RANK,
      meanElo: null,
      topElo: null,
      failures: {},
    },
  ],
  pipelineMinusRaw: null,
  judge: { costUsd: 0.5, verdicts: 28, invalid: 0, flips: 2, halfFlips: 1, flipRate: 2 / 14 },
  judging: {
    orders: 'both',
    verdictMode: 'single',
    debateTurns: null,
    judgeView: 'full',
    repeatShare: 0,
    reviewer: 'sim:referee',
  },
  judges: [],
  agreements: [],
  flags: [],
  matches: { scheduled: 14, played: 14, unplayed: {} },
  totalCostUsd: 0.7,
  ...NO_GAPS,
};

test('a long line of ours hangs: over 40 columns it goes on two further in, a short one stays as it is', () => {
  const line = `  sim:referee: ${Array.from({ length: 12 }, (_, i) => `fact${i}`).join('; ')}`;
  const lines = hangingLines(line, 40);
  expect(lines.length).toBeGreaterThan(1);
  for (const part of lines) expect(part.length).toBeLessThanOrEqual(40);
  expect(lines.map((part) => /^ */.exec(part)![0].length)).toEqual([2, ...lines.slice(1).map(() => 4)]);
  expect(lines.map((part) => part.trim()).join(' ')).toBe(line.trim());
  expect(hangingLines('  short', 40)).toEqual(['  short']);
});

describe('the leaderboard', () => {
  const at = (width: number, summary = SUMMARY) =>
    resultTable(summary, { ratings: null, width, goldSetSize: 3, bold: (text) => text });

  test('with room it is one table with everything a candidate came to', () => {
    const [head, first] = at(Number.POSITIVE_INFINITY).split('\n');
    expect(head?.split(/\s{2,}/)).toEqual([
      '#',
      'label',
      'mode',
      'W-L-T',
      'rating',
      '95 %',
      'ranks',
      'same',
      'Elo',
      'top',
      'gold',
      'cost',
      'tokens in/out',
      'failures',
    ]);
    expect(first?.split(/\s{2,}/)).toEqual([
      '1',
      CANDIDATE.label,
      'pipeline',
      '10-3-1',
      '1044',
      '980 to 1107',
      '1–2',
      'a',
      '1234',
      '1301',
      '1/3',
      '$0.1234',
      '19.2k/1.8k',
      'truncated 1, duplicate 1',
    ]);
  });

  test.each([60, 70, 80, 90, 100, 120])('on %d columns no line is longer', (width) => {
    expect(textWidth(at(width))).toBeLessThanOrEqual(width);
  });

  test('on 80 columns no line is longer, and no figure is left out', () => {
    const text = at(80);
    expect(textWidth(text)).toBeLessThanOrEqual(80);
    for (const figure of [
      '10-3-1',
      '1234',
      '1301',
      '1/3',
      '$0.1234',
      '19.2k/1.8k',
      'truncated 1',
      'duplicate 1',
    ]) {
      expect(text).toContain(figure);
    }
    expect(text).toMatch(/x…x+Z/); // a long label is cut in its middle
  });

  test('simulated dollars say so in the head of their column', () => {
    expect(at(200, { ...SUMMARY, simulated: true })).toContain('simulated $');
    expect(at(200)).not.toContain('simulated');
  });

  test('without a rating a candidate has a dash, not 0', () => {
    const last = at(200).split('\n').at(-1);
    expect(last).toMatch(/^–\s/);
    expect(last).not.toMatch(/\s0\s/);
  });
});

describe('why a bench ended without a result', () => {
  const BENCH = SUMMARY.benchId;
  const ofWorkflow = (cause: Error) =>
    new WorkflowFailedError('Workflow execution failed', cause, RetryState.NON_RETRYABLE_FAILURE);
  const taken = ofWorkflow(new TerminatedFailure(takeOverReason(BENCH, 'resume-two')));

  test('ended by a resume: it names the workflow that has the bench now, and watch; never another resume', () => {
    expect(benchFailure(BENCH, taken).details).toMatchObject({
      reason: `bench ${BENCH} was taken over by another resume: workflow resume-two has it now`,
      remedy: `follow it: co-scientist watch ${BENCH}`,
    });
    // A third was first to the row.
    expect(benchFailure(BENCH, taken, 'resume-three').details.reason).toContain('workflow resume-three has');
    const late = ofWorkflow(ApplicationFailure.create({ type: 'BenchTakenOver', message: 'epoch 1, now 2' }));
    expect(benchFailure(BENCH, late, 'resume-two').details).toEqual({
      ...benchFailure(BENCH, taken).details,
      error: late,
    });
  });

  test('ended by a person in Temporal it was not taken over, and a resume takes it up', () => {
    const { reason, remedy } = benchFailure(BENCH, ofWorkflow(new TerminatedFailure('by me'))).details;
    expect(reason).toContain('was terminated in Temporal');
    expect(remedy).toContain(`co-scientist resume ${BENCH} takes it up again`);
  });

  test('the reason of a take-over reads back as the workflow it names, and no other reason as one', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), (workflowId) => {
        expect(readTakeOverReason(takeOverReason(BENCH, workflowId))).toBe(workflowId);
      }),
    );
    expect(readTakeOverReason('workflow resume-two')).toBeNull();
  });
});
