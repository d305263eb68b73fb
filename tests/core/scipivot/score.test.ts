import { execFileSync } from 'node:child_process';
import path from 'node:path';
import fc from 'fast-check';
import { readJson } from '../../../activities/strict-json';
import { ORDERS, type Order } from '../../../core/ids';
import { bootstrapMeanInterval, OFFICIAL_BOOTSTRAP } from '../../../core/scipivot/bootstrap';
import { compareCaseIds } from '../../../core/scipivot/case-order';
import type { Letter, Reference } from '../../../core/scipivot/public-case';
import {
  PREDICTION_STATUSES,
  type Prediction,
  ruleSession,
  SESSION_FAILURES,
  scorePredictions,
} from '../../../core/scipivot/score';

const FEW = { resamples: 20, seed: 1, level: 0.9 };
const other = (letter: Letter): Letter => (letter === 'A' ? 'B' : 'A');
const answer = (caseId: string, order: Order, letter: Letter): Prediction => ({
  caseId,
  order,
  outcome: { kind: 'answer', letter },
});

describe('a score', () => {
  test('is 1 when ab names the label and ba its opposite, for the letter names the place shown', () => {
    const references: Reference[] = [
      { caseId: 'x', label: 'A' },
      { caseId: 'y', label: 'B' },
    ];
    const right = [
      answer('x', 'ab', 'A'),
      answer('x', 'ba', 'B'),
      answer('y', 'ab', 'B'),
      answer('y', 'ba', 'A'),
    ];
    expect(scorePredictions(references, right, FEW)).toMatchObject({
      mean: 1,
      interval: { low: 1, high: 1 },
      orderConsistency: 1,
      meanByOrder: { ab: 1, ba: 1 },
    });
  });

  test('of the 248 scores of the written check is .6370967741935484, from .594758064516129 to .6774193548387096', () => {
    const { references, predictions } = casesScoring([...twice(100, 2), ...twice(116, 1), ...twice(32, 0)]);
    const score = scorePredictions(references, predictions, OFFICIAL_BOOTSTRAP);
    expect(score.mean).toBe(0.6370967741935484);
    expect(score.interval).toEqual({ low: 0.594758064516129, high: 0.6774193548387096 });
    expect([score.nCases, score.nSessions, score.nCorrectSessions]).toEqual([248, 496, 316]);
  });

  test('of the ten scores of the written check is .55, from .3 to .8', () => {
    const { references, predictions } = casesScoring([2, 2, 1, 0, 0, 1, 2, 0, 2, 1]);
    const score = scorePredictions(references, predictions, OFFICIAL_BOOTSTRAP);
    expect([score.mean, score.interval]).toEqual([0.55, { low: 0.3, high: 0.8 }]);
  });

  test('of always A is 50 %, with order consistency 0 and an A-rate of 1', () => {
    const { references } = casesScoring(twice(248, 2));
    const always = references.flatMap(({ caseId }) => ORDERS.map((order) => answer(caseId, order, 'A')));
    const score = scorePredictions(references, always, FEW);
    expect([score.mean, score.orderConsistency, score.shownFirstRate]).toEqual([0.5, 0, 1]);
    expect(score.positionBias).toMatchObject({ firstFirst: 248, secondSecond: 0 });
    expect(score.positionBias.pValue! * 2 ** 247).toBeCloseTo(1, 6);
  });

  test('of nothing handed in is 0 over all 496 sessions, every one missing', () => {
    const { references } = casesScoring(twice(248, 2));
    expect(scorePredictions(references, [], FEW)).toMatchObject({
      mean: 0,
      nSessions: 496,
      nAnsweredSessions: 0,
      failures: { missing: 496 },
      orderConsistency: null,
      shownFirstRate: null,
      positionBias: { pValue: null },
    });
  });

  test('keeps a case with one right order and one missing at ½', () => {
    const references: Reference[] = [{ caseId: 'x', label: 'A' }];
    const score = scorePredictions(references, [answer('x', 'ba', 'B')], FEW);
    expect([score.mean, score.failures.missing, score.nCasesAnsweredTwice]).toEqual([0.5, 1, 0]);
  });

  test('counts 28 flips of which 24 to the first place as p = .00018 (R: binom.test(24, 28))', () => {
    const references = Array.from({ length: 28 }, (_, i): Reference => ({ caseId: `c${i}`, label: 'A' }));
    const predictions = references.flatMap(({ caseId }, i) =>
      ORDERS.map((order) => answer(caseId, order, i < 24 ? 'A' : 'B')),
    );
    const { pValue } = scorePredictions(references, predictions, FEW).positionBias;
    expect(pValue).toBeCloseTo(0.00018, 5);
  });

  test('is the same for every order of the references and of the predictions', () => {
    fc.assert(
      fc.property(anyEvaluation(), fc.nat(), ({ references, predictions }, turn) => {
        const turned = <T>(list: T[]) => [
          ...list.slice(turn % (list.length + 1)),
          ...list.slice(0, turn % (list.length + 1)),
        ];
        const score = scorePredictions(references, predictions, FEW);
        expect(scorePredictions(turned([...references].reverse()), turned(predictions), FEW)).toEqual(score);
        expect(scorePredictions(references, [...predictions].reverse(), FEW)).toEqual(score);
      }),
    );
  });

  test('equals a naive twin, written from the formula, on 300 random evaluations', () => {
    fc.assert(
      fc.property(anyEvaluation(), ({ references, predictions }) => {
        const score = scorePredictions(references, predictions, FEW);
        const naive = naiveScores(references, predictions);
        expect(score.mean).toBeCloseTo(naive.reduce((a, b) => a + b, 0) / naive.length, 12);
        expect(score.interval).toEqual(bootstrapMeanInterval(naive, FEW));
      }),
      { numRuns: 300 },
    );
  });

  test('has every session as an answer or as one failure, and none twice', () => {
    fc.assert(
      fc.property(anyEvaluation(), ({ references, predictions }) => {
        const { nSessions, nAnsweredSessions, failures, meanByOrder, mean } = scorePredictions(
          references,
          predictions,
          FEW,
        );
        const failed = Object.values(failures).reduce((a, b) => a + b, 0);
        expect(nAnsweredSessions + failed).toBe(nSessions);
        expect((meanByOrder.ab + meanByOrder.ba) / 2).toBeCloseTo(mean, 12);
      }),
    );
  });

  test('never rises when an answer becomes a failure of any kind', () => {
    fc.assert(
      fc.property(
        anyEvaluation(),
        fc.nat(),
        fc.constantFrom(...SESSION_FAILURES),
        (evaluation, pick, kind) => {
          const { references, predictions } = evaluation;
          fc.pre(predictions.length > 0);
          const at = pick % predictions.length;
          const worse = predictions.flatMap((prediction, i) => {
            if (i !== at) return [prediction];
            return kind === 'missing' ? [] : [{ ...prediction, outcome: { kind } }];
          });
          expect(scorePredictions(references, worse, FEW).mean).toBeLessThanOrEqual(
            scorePredictions(references, predictions, FEW).mean,
          );
        },
      ),
    );
  });

  test('swapping every label and every letter changes nothing but the A-rate and the bias’s side', () => {
    fc.assert(
      fc.property(anyEvaluation(), ({ references, predictions }) => {
        const score = scorePredictions(references, predictions, FEW);
        const swapped = scorePredictions(
          references.map(({ caseId, label }) => ({ caseId, label: other(label) })),
          predictions.map(({ outcome, ...session }) => ({
            ...session,
            outcome: outcome.kind === 'answer' ? { kind: 'answer', letter: other(outcome.letter) } : outcome,
          })),
          FEW,
        );
        expect([swapped.mean, swapped.interval, swapped.orderConsistency, swapped.failures]).toEqual([
          score.mean,
          score.interval,
          score.orderConsistency,
          score.failures,
        ]);
        expect(swapped.positionBias.firstFirst).toBe(score.positionBias.secondSecond);
      }),
    );
  });

  test('names no case: nothing in it grows with their number', () => {
    const keys = (n: number) => {
      const { references, predictions } = casesScoring(twice(n, 2));
      return JSON.stringify(scorePredictions(references, predictions, FEW)).length;
    };
    expect(Math.abs(keys(400) - keys(100))).toBeLessThan(10);
  });

  test.each([
    [[], [], 'references: none given'],
    [['x', 'x'], [], 'references: a case named twice: "x"'],
    [['x'], [answer('y', 'ab', 'A')], 'predictions: no such case: "y" ab'],
    [['x'], [answer('x', 'ab', 'A'), answer('x', 'ab', 'A')], 'predictions: a session twice: "x" ab'],
  ])('refuses references %j with predictions %j: %s', (ids, predictions, message) => {
    const references = ids.map((caseId): Reference => ({ caseId, label: 'A' }));
    expect(() => scorePredictions(references, predictions, FEW)).toThrow(message);
  });
});

describe('a session', () => {
  test.each(PREDICTION_STATUSES.filter((status) => status !== 'ok'))(
    'that ended as %s is that, even with a right answer',
    (status) => {
      const session = { caseId: 'x', order: 'ab', status, response: 'A' } as const;
      expect(ruleSession(session, readJson).outcome).toEqual({ kind: status });
    },
  );

  test.each([
    ['A', { kind: 'answer', letter: 'A' }],
    ['the first', { kind: 'unparseable' }],
    ['{"answer":"A","answer":"A"}', { kind: 'ambiguous' }],
    [null, { kind: 'unparseable' }],
  ] as const)('that is ok with the response %j comes to %j', (response, outcome) => {
    expect(ruleSession({ caseId: 'x', order: 'ab', status: 'ok', response }, readJson).outcome).toEqual(
      outcome,
    );
  });
});

describe('the order of cases', () => {
  test('has case-2 before case-10, and case-02 beside case-2', () => {
    const ids = ['case-10', 'case-2', 'case-02', 'b1', 'case-1', '10', '9', 'a', 'é', ''];
    expect([...ids].sort(compareCaseIds)).toEqual([
      '',
      '9',
      '10',
      'a',
      'b1',
      'case-1',
      'case-02',
      'case-2',
      'case-10',
      'é',
    ]);
  });

  test('is total: antisymmetric, transitive, and 0 for equal ids only', () => {
    const id = fc.string({ unit: fc.constantFrom('a', 'B', '-', '0', '1', '02', '9', 'é'), maxLength: 5 });
    fc.assert(
      fc.property(id, id, id, (a, b, c) => {
        expect(Math.sign(compareCaseIds(a, b))).toBe(-Math.sign(compareCaseIds(b, a)) + 0);
        expect(compareCaseIds(a, b) === 0).toBe(a === b);
        if (compareCaseIds(a, b) < 0 && compareCaseIds(b, c) < 0)
          expect(compareCaseIds(a, c)).toBeLessThan(0);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('the interval', () => {
  test('holds the truth in at least 93 % of 200 seeded worlds, at each of four accuracies', () => {
    // In a process of its own: inside jest every look at Math goes through a sandbox, at thirty times the cost.
    const worlds = path.join(__dirname, 'coverage-worlds.ts');
    const printed = execFileSync(process.execPath, ['--import', 'tsx', worlds], { encoding: 'utf8' });
    const covered = JSON.parse(printed) as { accuracy: number; share: number }[];
    expect(covered.map(({ accuracy }) => accuracy)).toEqual([0.5, 0.64, 0.9, 0.64]);
    for (const { share } of covered) expect(share).toBeGreaterThanOrEqual(0.93);
    for (const { share } of covered) expect(share).toBeLessThanOrEqual(0.99);
  });
});

/** References and predictions whose cases score the given halves, in the order of their ids. */
function casesScoring(halves: number[]): { references: Reference[]; predictions: Prediction[] } {
  const references = halves.map(
    (_, i): Reference => ({ caseId: `case-${i + 1}`, label: i % 3 === 0 ? 'B' : 'A' }),
  );
  const predictions = references.flatMap(({ caseId, label }, i) => {
    const ab = answer(caseId, 'ab', halves[i]! >= 1 ? label : other(label));
    const ba = answer(caseId, 'ba', halves[i]! >= 2 ? other(label) : label);
    return [ab, ba];
  });
  return { references, predictions };
}

function twice(count: number, half: number): number[] {
  return Array.from({ length: count }, () => half);
}

function anyEvaluation(): fc.Arbitrary<{ references: Reference[]; predictions: Prediction[] }> {
  const letter = fc.constantFrom<Letter>('A', 'B');
  const kinds = SESSION_FAILURES.filter((kind) => kind !== 'missing');
  const outcome = fc.oneof(
    letter.map((chosen): Prediction['outcome'] => ({ kind: 'answer', letter: chosen })),
    fc.constantFrom(...kinds).map((kind): Prediction['outcome'] => ({ kind })),
    fc.constant(null),
  );
  const oneCase = fc.record({ label: letter, ab: outcome, ba: outcome });
  return fc.array(oneCase, { minLength: 1, maxLength: 12 }).map((cases) => ({
    references: cases.map(({ label }, i) => ({ caseId: `c${i}`, label })),
    predictions: cases.flatMap(({ ab, ba }, i) => {
      const sessions = [
        ab && { order: 'ab' as const, outcome: ab },
        ba && { order: 'ba' as const, outcome: ba },
      ];
      return sessions.flatMap((session) => (session ? [{ caseId: `c${i}`, ...session }] : []));
    }),
  }));
}

/** s = ½[1(ŷ_ab = y) + 1(ŷ_ba = swap(y))], case by case in the order of the references. */
function naiveScores(references: Reference[], predictions: Prediction[]): number[] {
  const said = (caseId: string, order: Order) => {
    const found = predictions.find(
      (prediction) => prediction.caseId === caseId && prediction.order === order,
    );
    return found?.outcome.kind === 'answer' ? found.outcome.letter : 'nothing';
  };
  return references.map(({ caseId, label }) => {
    const ab = said(caseId, 'ab') === label ? 1 : 0;
    const ba = said(caseId, 'ba') === (label === 'A' ? 'B' : 'A') ? 1 : 0;
    return (ab + ba) / 2;
  });
}
