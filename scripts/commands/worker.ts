import { CliError, UsageError } from '../cli-error';
import type { CliCommand } from '../command';

export const worker: CliCommand = {
  name: 'worker',
  register: (program) =>
    program
      .command('worker')
      .description(
        'Serve task queues on servers of your own, until SIGTERM or Ctrl-C; calls in flight end first',
      )
      .option(
        '--queues <names>',
        'of rows, provider.<provider>, literature, grader: those alone (default: all it can)',
      )
      .addHelpText(
        'after',
        '\nDATABASE_URL, DATABASE_GRADER_URL, TEMPORAL_* or a profile of temporal.toml, and\nkeys come from the environment. `co-scientist up` runs one of these beside its\nown servers.',
      )
      .action(async ({ queues }: { queues?: string }) => {
        const { UnservableQueues } =
          require('../../activities/served-queues') as typeof import('../../activities/served-queues');
        const { runWorker } =
          require('../../workers/run-worker') as typeof import('../../workers/run-worker');
        const asked = queues ?? process.env.CO_SCIENTIST_QUEUES;
        await checkWorker(asked);
        try {
          await runWorker(process.env, asked);
        } catch (error) {
          if (error instanceof UnservableQueues) throw unservable(error);
          throw new CliError({
            reason: `the worker ended: ${(error as Error).message}`,
            remedy: 'co-scientist doctor says what is set and what answers',
            error,
          });
        }
      }),
};

/**
 * Without a database nothing more can be found out about the queues than their names; with one, `runWorker` tells all.
 * @throws CliError with everything that is wrong so far
 */
async function checkWorker(asked: string | undefined): Promise<void> {
  if (process.env.DATABASE_URL || asked?.trim() === 'grader') return;
  const { together } = require('../together') as typeof import('../together');
  await together(
    () => refuseNoDatabase(),
    () => requireQueues(asked),
  );
}

function refuseNoDatabase(): never {
  throw new CliError({
    reason: 'the worker cannot begin: DATABASE_URL is not set',
    remedy: 'set it, or have co-scientist up start a local stack with a worker',
  });
}

/** Whether there are queues of these names, whoever can serve them. */
function requireQueues(asked: string | undefined): void {
  const { chooseQueues, UnservableQueues } =
    require('../../activities/served-queues') as typeof import('../../activities/served-queues');
  const { KNOWN_PROVIDERS } =
    require('../../activities/providers') as typeof import('../../activities/providers');
  const names = (asked ?? '').split(',').map((name) => name.trim());
  // Named ones of the user's own are known by their form.
  const own = names.flatMap((name) => /^provider\.(compat-.+)$/.exec(name)?.[1] ?? []);
  try {
    chooseQueues(asked, { openProviders: [...KNOWN_PROVIDERS, ...own], whyNoGrader: null });
  } catch (error) {
    if (!(error instanceof UnservableQueues)) throw error;
    throw unservable(error);
  }
}

function unservable({ problems }: { problems: string[] }): UsageError {
  return new UsageError({
    reason: 'this process cannot serve the queues it was given',
    problems,
    remedy: 'set what is missing, or leave those queues to other workers',
  });
}
