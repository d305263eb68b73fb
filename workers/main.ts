import { setFlagsFromString } from 'node:v8';
import { runWorker } from './run-worker';

/**
 * Node lets a heap grow to several times what is in use before it looks what can go: half a gigabyte in a large bench,
 * most of it answers and rows that nobody needs any more. At 70 % over what was in use last, a worker stays near 400 MB;
 * the collector runs more often, over a heap that is small.
 */
setFlagsFromString('--heap-growing-percent=70');

/** A worker process: everything it needs comes from the environment; SIGTERM drains it. */
runWorker(process.env).catch((error: unknown) => {
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  process.stderr.write(`worker: ${name}: ${message}\n`);
  process.exit(1); // whatever it had opened by then
});
