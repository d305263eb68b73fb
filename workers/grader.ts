import { runGrader } from './run-grader';

/** The grader as a process of its own: `run-worker.ts` starts it beside itself, without any key or other URL. */
async function main(): Promise<void> {
  // Whoever started it is gone, killed perhaps: nobody would end it.
  process.once('disconnect', () => process.exit(1));
  await runGrader(process.env, () => {
    if (process.send) process.send('ready');
    else process.stdout.write('grader ready\n');
  });
  process.removeAllListeners('disconnect');
  if (process.connected) process.disconnect();
}

main().catch((error: unknown) => {
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  process.stderr.write(`grader: ${name}: ${message}\n`);
  process.exit(1);
});
