import { type BenchWorker, startBenchWorker } from './bench-worker';
import { testBalanced } from './judged-balanced';

let worker: BenchWorker;
beforeAll(async () => {
  worker = await startBenchWorker();
});
afterAll(() => worker.close());

describe('orders: balanced', () => testBalanced(() => worker));
