import { type BenchWorker, startBenchWorker } from './bench-worker';
import { testFinishedBench } from './finished-bench';
import { testInvalidInput } from './invalid-input';
import { testSameBench } from './same-bench';

let worker: BenchWorker;
beforeAll(async () => {
  worker = await startBenchWorker();
});
afterAll(() => worker.close());

testFinishedBench(() => worker);
testSameBench(() => worker);
testInvalidInput(() => worker);
