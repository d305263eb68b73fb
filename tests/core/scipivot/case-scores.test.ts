import fc from 'fast-check';
import { ORDERS } from '../../../core/ids';
import type { Letter } from '../../../core/scipivot/public-case';
import { type Prediction, scoreCases, scorePredictions } from '../../../core/scipivot/score';

const FEW = { resamples: 10, seed: 1, level: 0.9 };
const letter = fc.constantFrom<Letter>('A', 'B');
const outcome = fc.oneof(
  letter.map((given): Prediction['outcome'] => ({ kind: 'answer', letter: given })),
  fc.constantFrom<Prediction['outcome']>({ kind: 'timeout' }, { kind: 'unparseable' }),
);

test('a case with one right and one wrong answer scores ½, with two right 1, with none 0', () => {
  const references = ['half', 'none', 'whole'].map((caseId) => ({ caseId, label: 'B' as const }));
  const answers: Record<string, [Letter, Letter]> = { half: ['B', 'B'], none: ['A', 'B'], whole: ['B', 'A'] };
  const predictions = references.flatMap(({ caseId }) =>
    ORDERS.map((order, i): Prediction => {
      return { caseId, order, outcome: { kind: 'answer', letter: answers[caseId]![i]! } };
    }),
  );
  expect(scoreCases(references, predictions)).toEqual([
    { caseId: 'half', score: 0.5 },
    { caseId: 'none', score: 0 },
    { caseId: 'whole', score: 1 },
  ]);
});

test('the mean of the case scores is the score, with failures and missing sessions, in 100 runs', () => {
  const cases = fc.array(fc.record({ label: letter, ab: fc.option(outcome), ba: fc.option(outcome) }), {
    minLength: 1,
    maxLength: 30,
  });
  fc.assert(
    fc.property(cases, (drawn) => {
      const references = drawn.map(({ label }, i) => ({ caseId: `case-${i}`, label }));
      const predictions = drawn.flatMap((one, i) =>
        ORDERS.flatMap((order) => {
          const given = one[order];
          return given === null ? [] : [{ caseId: `case-${i}`, order, outcome: given }];
        }),
      );
      const scores = scoreCases(references, predictions).map(({ score }) => score);
      const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length;
      expect(mean).toBeCloseTo(scorePredictions(references, predictions, FEW).mean, 12);
    }),
    { numRuns: 100 },
  );
});
