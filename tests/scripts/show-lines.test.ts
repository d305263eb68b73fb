import { stripVTControlCharacters } from 'node:util';
import { createColors } from 'picocolors';
import stringWidth from 'string-width';
import type { RecordedBench } from '../../core/report/recorded-bench';
import { SCIPIVOT_LIMITS } from '../../core/scipivot/limits';
import type { ScipivotScore } from '../../core/scipivot/score';
import type { ScipivotSummary } from '../../core/scipivot/summary';
import { hypothesisLines, toolCallLines } from '../../scripts/bench/hypothesis-lines';
import { intervalBars } from '../../scripts/bench/interval-bars';
import { resultText } from '../../scripts/bench/result-text';
import { findSlot } from '../../scripts/bench/show-hypothesis';
import { matchLines } from '../../scripts/bench/show-match';
import { coloursFor } from '../../scripts/bench/terminal';
import { wrappedLines } from '../../scripts/bench/wrapped-text';
import { HOSTILE, hostileReason, hostileRecord } from '../activities/reporting/hostile-texts';
import { madeUp } from '../core/report/made-up';

const COLOURS = coloursFor({ isTTY: false } as NodeJS.WriteStream);
const at = (width: number) => ({ width, colours: COLOURS });

let plain: RecordedBench;
let hostile: RecordedBench;
beforeAll(async () => {
  ({ record: plain } = await madeUp());
  ({ record: hostile } = await madeUp({ reword: hostileRecord, reason: hostileReason }));
});

describe('one match in a terminal', () => {
  test('has both sides’ facts and texts, both reviews, and both verdicts with rationale and scores by side', () => {
    const match = plain.matches.find(({ winner }) => winner === 'a')!;
    const text = matchLines(plain, match, at(Number.POSITIVE_INFINITY)).join('\n');
    expect(text).toContain(`match ${match.index} of ${plain.run.benchId} · simulated`);
    expect(text).toMatch(/^A wins.*; A’s score (1|0\.75); known cost of its verdicts \$\d\.\d{4}$/m);
    const flat = text.replace(/\s+/g, ' ');
    for (const id of [match.hypA, match.hypB]) {
      const { record, review, publicId } = plain.hypotheses.find((slot) => slot.id === id)!;
      for (const words of [
        publicId,
        record!.title,
        record!.fullText,
        record!.mechanism,
        record!.falsification,
      ]) {
        expect(flat).toContain(words.replace(/\s+/g, ' '));
      }
      expect(flat).toContain(`review by ${review!.reviewer}`);
    }
    for (const { rationale } of match.verdicts) expect(flat).toContain(rationale!.replace(/\s+/g, ' '));
    expect(text.match(/^verdict, [AB] shown first, by sim:referee: /gm)).toHaveLength(2);
  });

  test('a panel’s score of 5 ÷ 6 is 0.833', () => {
    const match = { ...plain.matches.find(({ winner }) => winner === 'a')!, scoreA: 5 / 6 };
    expect(matchLines(plain, match, at(80)).join('\n')).toContain('A’s score 0.833;');
  });

  test('a verdict that names the second in order ba names side A, and its scores change sides with it', () => {
    const match = plain.matches[0]!;
    const [ab] = match.verdicts;
    const ba = {
      ...ab!,
      order: 'ba' as const,
      winnerPosition: 'second' as const,
      scores: [{ criterion: 'novelty', first: 2, second: 9 }],
    };
    const text = matchLines(plain, { ...match, verdicts: [ba] }, at(80)).join('\n');
    expect(text).toContain('verdict, B shown first, by sim:referee: A wins');
    expect(text).toMatch(/novelty +9 +2/);
  });

  test('an unplayed match says why, and a verdict that could not be had gives no side', () => {
    const match = plain.matches[0]!;
    const lost = {
      ...match.verdicts[0]!,
      state: 'invalid' as const,
      winnerPosition: null,
      reason: 'truncated',
    };
    const unplayed = {
      ...match,
      ...{ state: 'unplayed' as const, winner: null, scoreA: null, agreement: null, reason: 'truncated' },
      verdicts: [lost],
    };
    const text = matchLines(plain, unplayed, at(80)).join('\n');
    expect(text).toMatch(/^unplayed: truncated$/m);
    expect(text).toContain('by sim:referee: could not be had: truncated');
    expect(text).not.toMatch(/undefined|null|NaN/);
  });
});

describe('hostile texts', () => {
  test('reach no terminal as a control, and no line of any match is wider than 80 columns', () => {
    for (const match of hostile.matches) {
      const lines = matchLines(hostile, match, at(80));
      expect(lines.join('')).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069\u200b]/u);
      expect(Math.max(...lines.map((line) => stringWidth(line)))).toBeLessThanOrEqual(80);
    }
  });

  test('a word of 200,000 characters is broken into lines, and cut after 20,000 with the count of the rest', () => {
    const lines = wrappedLines(HOSTILE.long, 80);
    expect(lines.every((line) => line.length <= 80)).toBe(true);
    expect(lines.join(' ').replace(/\s+/g, ' ')).toContain('(180010 more characters)');
  });

  test('a slot of them shows all its parts, tool calls too', () => {
    const slot = {
      ...hostile.hypotheses[0]!,
      toolCalls: [
        {
          ...{
            turn: 1,
            index: 0,
            callId: 'c',
            tool: 'search_web',
            arguments: HOSTILE.ansi,
            argumentsSha256: '',
          },
          ...{
            repeatsTurn: null,
            repeatsIndex: null,
            state: 'answered' as const,
            outcome: 'failed' as const,
          },
          ...{
            failureKind: 'timeout',
            answer: null,
            documents: null,
            cache: null,
            withheldCount: null,
            latencyMs: 1,
          },
        },
      ],
    };
    const text = [...hypothesisLines(slot, at(80)), ...toolCallLines(slot.toolCalls, at(80))].join('\n');
    for (const name of [
      'summary',
      'argument',
      'mechanism',
      'entities',
      'what would prove it wrong',
      'tool calls',
    ]) {
      expect(text).toMatch(new RegExp(`^  ${name}$`, 'm'));
    }
    expect(text).toContain('failed (timeout)');
    const failed = { ...slot, record: null, failureKind: 'refused', failureDetail: 'not mine' };
    expect(hypothesisLines(failed, at(80))).toEqual(['  no hypothesis: refused (not mine)', '']);
  });
});

describe('a slot is named', () => {
  test('by its number from 1, by label and k, by the beginning of its public id', () => {
    const third = plain.hypotheses[2]!;
    expect(findSlot(plain, '3')).toBe(2);
    expect(findSlot(plain, third.id.slice(plain.run.benchId.length + 1))).toBe(2);
    expect(findSlot(plain, third.publicId.slice(0, 14))).toBe(2);
  });

  test.each(['0', '13', 'hyp_', 'nobody/1', ''])(
    '%j names none, or more than one: a usage error that says what would',
    (which) => {
      expect(() => findSlot(plain, which)).toThrow(expect.objectContaining({ exitCode: 2 }));
    },
  );
});

describe('intervals as bars', () => {
  const bars = (width: number) => intervalBars(plain.run.summary!, width);

  test('one a rated candidate, best first, all to one scale: the lowest end at its left, the highest at its right', () => {
    const [, ...rows] = bars(80);
    const labels = plain.run.summary!.candidates.map(({ label }) => label);
    expect(rows.slice(0, -1).map((row) => row.trim().split('  ')[0])).toEqual(labels);
    const starts = rows.slice(0, -1).map((row) => row.indexOf('├'));
    const ends = rows.slice(0, -1).map((row) => row.indexOf('┤'));
    const { candidates } = plain.run.summary!;
    const lowest = candidates.map(({ ratingLow }) => ratingLow!);
    const highest = candidates.map(({ ratingHigh }) => ratingHigh!);
    expect(starts.indexOf(Math.min(...starts))).toBe(lowest.indexOf(Math.min(...lowest)));
    expect(ends.indexOf(Math.max(...ends))).toBe(highest.indexOf(Math.max(...highest)));
    expect(rows.at(-1)!.trim()).toMatch(/^\d+ +\d+$/);
  });

  test('without an interval there is a hollow dot alone; without a rating, or without room, nothing', () => {
    const [first] = plain.run.summary!.candidates;
    const alone = { ...first!, ratingLow: null, ratingHigh: null };
    const rows = intervalBars({ candidates: [alone, { ...alone, rating: null, label: 'unrated' }] }, 80);
    expect(rows[1]).toContain('○');
    expect(rows.join('')).not.toMatch(/[├┤●]|unrated/);
    expect(intervalBars({ candidates: [{ ...alone, rating: null }] }, 80)).toEqual([]);
    expect(bars(30)).toEqual([]);
  });

  test('a label of one letter is shown', () => {
    const [first] = plain.run.summary!.candidates;
    expect(intervalBars({ candidates: [{ ...first!, label: 'a' }] }, 80)[1]).toMatch(/^ {2}a {2,}/);
  });
});

describe('what a bench came to, in a terminal', () => {
  const score = {
    ...{ mean: 0.7137, interval: { low: 0.66, high: 0.76 }, orderConsistency: 0.81, shownFirstRate: 0.512 },
    ...{ positionBias: { pValue: 0.0421 }, failures: { timeout: 3, unreadable: 12 } },
  } as unknown as ScipivotScore;
  const subject = {
    ...{
      provider: 'sim',
      model: 'alder',
      state: 'asked' as const,
      reason: null,
      nSessions: 496,
      nEnded: 496,
    },
    ...{ score, costUsd: 1.25, nUnknownCost: 0, inDoubtUsd: 0 },
  };
  const scipivot: ScipivotSummary = {
    ...{ dataSet: 'scipivot-release', nCases: 248, isPinned: true, promptsSha256: 'a1'.repeat(32) },
    subjects: [
      { ...subject, subject: 'a-candidate-of-a-rather-long-label[pipe]', role: 'candidate' },
      { ...subject, subject: 'oak[raw]', role: 'candidate' },
      { ...subject, subject: 'sim:referee', role: 'judge' },
    ],
    differences: [
      {
        ...{ a: 'a-candidate-of-a-rather-long-label[pipe]', b: 'oak[raw]', mean: 0.0213, alone: null },
        ...{ amongAll: { low: -0.04, high: 0.083 }, word: 'underpowered' },
      },
    ],
    margin: 0.05,
    limits: SCIPIVOT_LIMITS,
  };
  const uiUrl = 'http://localhost:8233/namespaces/default/workflows/bench-bnc_01KQTEST00000000000000TEST';
  const next = ['co-scientist show bnc_01KQTEST00000000000000TEST', 'co-scientist list'];

  function textAt(width: number, colours = COLOURS): string {
    const { summary, ratings, plan } = plain.run;
    const [first, ...others] = summary!.candidates;
    const gaps = { nUnknownCost: 2, inDoubtUsd: 0.25 };
    const whole = { ...summary!, ...gaps, scipivot, candidates: [{ ...first!, ...gaps }, ...others] };
    return resultText({ summary: whole, ratings }, { plan, uiUrl, next, width, colours });
  }

  test.each([40, 60, 80, 100])(
    'at %d columns no line is longer but the address, coloured or not',
    (width) => {
      for (const colours of [COLOURS, createColors(true)]) {
        const lines = stripVTControlCharacters(textAt(width, colours)).split('\n');
        const tooLong = lines.filter((line) => stringWidth(line) > width);
        expect(tooLong).toEqual(uiUrl.length + 7 > width ? [`UI     ${uiUrl}`] : []);
      }
    },
  );

  test('of a night, whose 8 matches rate nobody, it says so where the ratings would be', () => {
    const { summary, plan } = plain.run;
    const unrated = { rank: null, rating: null, ratingLow: null, ratingHigh: null };
    const night = {
      ...summary!,
      candidates: summary!.candidates.map((candidate) => ({ ...candidate, ...unrated })),
      matches: { scheduled: 8, played: 8, unplayed: {} },
    };
    const options = { plan, uiUrl: null, next, width: Number.POSITIVE_INFINITY, colours: COLOURS };
    const why = 'nothing is rated: its matches are a night’s, against another bench’s texts';
    expect(resultText({ summary: night, ratings: null }, options)).toContain(why);
    expect(textAt(80)).not.toContain('nothing is rated');
  });

  test('at 40 columns it says in the same words what it says where there is no edge, each command in one piece for a shell', () => {
    const [wide, narrow] = [textAt(Number.POSITIVE_INFINITY), textAt(40)];
    const flat = narrow.replace(/\s+/g, ' ');
    for (const line of ['SciΠvot, options only', 'paired differences', 'simulated cost', 'comparable only']) {
      const words = wide.split('\n').find((one) => one.startsWith(line));
      expect(words?.length).toBeGreaterThan(40);
      expect(flat).toContain(words);
    }
    const commands = narrow.slice(narrow.indexOf('\nnext ') + 5).replace(/\\\n\s*/g, '');
    expect(commands.split('\n').map((line) => line.trim())).toEqual([...next, '']);
    for (const figure of [
      '71.37 %',
      '66.00 % to 76.00 %',
      '81.00 %',
      '51.20 %',
      '0.042',
      '$1.2500',
      'timeout 3',
    ]) {
      expect(flat).toContain(figure);
    }
  });
});
