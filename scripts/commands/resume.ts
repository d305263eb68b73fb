import type { CliCommand } from '../command';

export const resume: CliCommand = {
  name: 'resume',
  register: (program) =>
    program
      .command('resume')
      .description('Take up a bench that failed, was ended or lost: pays only for what is missing')
      .argument('<bench>', 'its id, or as much of its beginning as tells it apart')
      .option('--take-over', 'end the workflow that still runs it first')
      .option('--json', 'print one JSON object at the end, the BenchSummary')
      .action(async (text: string, options: { takeOver?: true; json?: true }) => {
        const { Interrupted, sayLeft } =
          require('../bench/leave-on-interrupt') as typeof import('../bench/leave-on-interrupt');
        const { resumeBench } = require('../bench/resume-bench') as typeof import('../bench/resume-bench');
        try {
          await resumeBench(text, { takesOver: Boolean(options.takeOver), isJson: Boolean(options.json) });
        } catch (error) {
          if (!(error instanceof Interrupted)) throw error;
          sayLeft(error.benchId);
        }
      }),
};
