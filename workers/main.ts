import { runWorker } from './run-worker';

/** A worker process: everything it needs comes from the environment; SIGTERM drains it. */
runWorker(process.env).catch((error: unknown) => {
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  process.stderr.write(`worker: ${name}: ${message}\n`);
  process.exit(1); // whatever it had opened by then
});
