import { type BenchWorker, startBenchWorker } from './bench-worker';
import { testBalanced } from './judged-balanced';
import { testPlaceJudge } from './judged-by-place';
import { testDebate } from './judged-debate';
import { testPanel } from './judged-panel';
import { testRepeats } from './judged-repeats';
import { testReplicates } from './judged-replicates';

let worker: BenchWorker;
beforeAll(async () => {
  worker = await startBenchWorker();
});
afterAll(() => worker.close());

describe('orders: balanced', () => testBalanced(() => worker));
describe('judge: a panel', () => testPanel(() => worker));
describe('judgeView: text, with a repeatShare', () => testRepeats(() => worker));
describe('replicates', () => testReplicates(() => worker));
describe('verdictMode: debate', () => testDebate(() => worker));
describe('a judge that goes by places', () => testPlaceJudge(() => worker));
