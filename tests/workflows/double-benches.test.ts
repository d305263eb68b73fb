import { type LlmDouble, startLlmDouble } from '../doubles/llm-double';
import type { SeenRequest } from '../doubles/raw-llm-double';
import { answerWithBadText, testBadText } from './bad-text';
import { type BenchWorker, startBenchWorker } from './bench-worker';
import { answerForBudgets, testBudgets } from './budgets';
import { answerForDuplicates, testDuplicates } from './duplicates';
import { answerInvalidly, testInvalidAnswers } from './invalid-answers';

let double: LlmDouble;
let worker: BenchWorker;
beforeAll(async () => {
  const faultFor = (request: SeenRequest) =>
    answerWithBadText(request) ??
    answerForDuplicates(request) ??
    answerForBudgets(request) ??
    answerInvalidly(request);
  double = await startLlmDouble({ faultFor });
  worker = await startBenchWorker({}, double.env);
});
afterAll(async () => {
  await worker.close();
  await double.stop();
});

testBadText(() => worker);
testBudgets(() => worker);
testDuplicates(
  () => worker,
  () => double.journal,
);
testInvalidAnswers(
  () => worker,
  () => double.journal,
);
