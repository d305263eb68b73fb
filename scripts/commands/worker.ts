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
        '\nDATABASE_URL, DATABASE_GRADER_URL, TEMPORAL_* or a profile of temporal.toml, and keys come from the\nenvironment. `co-scientist up` runs one of these beside its own servers.',
      )
      .action(async ({ queues }: { queues?: string }) => {
        const { UnservableQueues } =
          require('../../activities/served-queues') as typeof import('../../activities/served-queues');
        const { runWorker } =
          require('../../workers/run-worker') as typeof import('../../workers/run-worker');
        try {
          await runWorker(process.env, queues ?? process.env.CO_SCIENTIST_QUEUES);
        } catch (error) {
          if (error instanceof UnservableQueues) {
            throw new UsageError({
              reason: 'this process cannot serve the queues it was given',
              problems: error.problems,
              remedy: 'set what is missing, or leave those queues to other workers',
            });
          }
          throw new CliError({
            reason: `the worker ended: ${(error as Error).message}`,
            remedy: 'co-scientist doctor says what is set and what answers',
            error,
          });
        }
      }),
};
