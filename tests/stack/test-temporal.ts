import { randomBytes } from 'node:crypto';
import { testStack } from './test-stack';

/** The run's Temporal server, and a task queue nobody else uses. */
export interface TestTemporal {
  /** `host:port` */
  address: string;
  namespace: string;
  /** The base of this test's task queues: its own at every call. */
  taskQueue: string;
  /** The Temporal CLI the server was started with. */
  executable: string;
}

/**
 * @example
 * const { address, taskQueue } = testTemporal();
 * const connection = await NativeConnection.connect({ address });
 * @throws when the set-up could not start the server: a test that needs it fails, it is never skipped
 */
export function testTemporal(): TestTemporal {
  const { temporal } = testStack();
  if ('problem' in temporal) throw new Error(`there is no Temporal server: ${temporal.problem}`);
  const { address, executable } = temporal;
  return { address, executable, namespace: 'default', taskQueue: `test-${randomBytes(6).toString('hex')}` };
}
