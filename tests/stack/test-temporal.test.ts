import { Connection } from '@temporalio/client';
import { testTemporal } from './test-temporal';

test('the test server knows bench_id as a Keyword, which is 2 in temporal.api.enums.v1.IndexedValueType', async () => {
  const { address, namespace } = testTemporal();
  const connection = await Connection.connect({ address });
  const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
  expect(customAttributes?.bench_id).toBe(2);
  await connection.close();
});

test('two asks give two task queues', () => {
  expect(testTemporal().taskQueue).not.toBe(testTemporal().taskQueue);
});
