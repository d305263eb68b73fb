import type { BenchPlan, PlannedModel } from '../../core/bench-plan';
import { calledModels } from '../../core/called-models';

const model = (name: string) => ({ provider: 'sim', model: name }) as PlannedModel;
const plan = (changes: Partial<BenchPlan>) =>
  ({
    ...{ candidates: [model('a'), model('b')], judges: [model('judge')], reviewer: model('reviewer') },
    ...{ n: 4, matches: 2, scipivot: null },
    ...changes,
  }) as BenchPlan;

test.each([
  ['a whole bench', {}, ['a', 'b', 'judge', 'reviewer']],
  ['no matches', { matches: 0 }, ['a', 'b', 'reviewer']],
  [
    'no matches, but SciΠvot, which judges answer too',
    { matches: 0, scipivot: 'set' },
    ['a', 'b', 'judge', 'reviewer'],
  ],
  ['no reviewer', { reviewer: null }, ['a', 'b', 'judge']],
  [
    'SciΠvot alone: nothing is written that could be reviewed',
    { n: 0, matches: 0, scipivot: 'set' },
    ['a', 'b', 'judge'],
  ],
  ['no matches and no reviewer', { matches: 0, reviewer: null }, ['a', 'b']],
] as [string, Partial<BenchPlan>, string[]][])('%s: %j calls %j', (_, changes, names) => {
  expect(calledModels(plan(changes)).map((one) => one.model)).toEqual(names);
});
