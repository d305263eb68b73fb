import { ORDERS } from '../../../core/ids';
import { randomFrom } from '../../../core/random';
import { type Reference, swap } from '../../../core/scipivot/public-case';
import { type Prediction, scorePredictions } from '../../../core/scipivot/score';

/**
 * How often the interval holds a candidate's true accuracy, over 200 seeded evaluations of 248 cases. In the
 * last world cases differ: an accuracy of .94 for half of the cases drawn and .34 for the other half.
 */
const N_WORLDS = 200;
const N_CASES = 248;

const covered = [
  { accuracy: 0.5, spread: 0 },
  { accuracy: 0.64, spread: 0 },
  { accuracy: 0.9, spread: 0 },
  { accuracy: 0.64, spread: 0.3 },
].map(({ accuracy, spread }) => {
  let hits = 0;
  for (let world = 0; world < N_WORLDS; world++) {
    const { low, high } = intervalOf(accuracy, spread, world);
    if (low <= accuracy && accuracy <= high) hits++;
  }
  return { accuracy, share: hits / N_WORLDS };
});
process.stdout.write(JSON.stringify(covered));

function intervalOf(accuracy: number, spread: number, world: number) {
  const random = randomFrom(world, 'scipivot-coverage', String(accuracy), String(spread));
  const references = Array.from({ length: N_CASES }, (_, i): Reference => {
    return { caseId: `case-${i}`, label: random.uniform() < 0.5 ? 'A' : 'B' };
  });
  const predictions = references.flatMap(({ caseId, label }) => {
    const chance = accuracy + (random.uniform() < 0.5 ? spread : -spread);
    return ORDERS.map((order): Prediction => {
      const right = order === 'ab' ? label : swap(label);
      const letter = random.uniform() < chance ? right : swap(right);
      return { caseId, order, outcome: { kind: 'answer', letter } };
    });
  });
  return scorePredictions(references, predictions, { resamples: 1000, seed: 20261004, level: 0.95 }).interval;
}
