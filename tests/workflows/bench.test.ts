import type { BenchInput } from '../../core/bench-input';
import { type BenchWorker, startBenchWorker } from './bench-worker';

const INPUT: BenchInput = {
  goal: 'Find a drug for a disease that has none.',
  candidates: [
    'strong=sim:alder,skill=3@direct',
    'middle=sim:alder,skill=0@direct',
    'weak=sim:alder,skill=-3@direct',
  ],
  judge: 'sim:referee',
  goldSet: 'none',
  n: 2,
  matches: 4,
};

let worker: BenchWorker;
beforeAll(async () => {
  worker = await startBenchWorker();
});
afterAll(() => worker.close());

test('a bench of 3 candidates, n 2, 4 matches a pair: 12 matches, 24 verdicts, and the strong one wins', async () => {
  const summary = await worker.run(INPUT);
  expect(summary).toMatchObject({ format: 1, status: 'finished', simulated: true });
  expect(summary.judge.verdicts).toBe(24);
  expect(summary.candidates[0]).toMatchObject({ rank: 1, label: 'strong' });
});
