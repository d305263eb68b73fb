import { InvalidArgumentError, Option } from 'commander';
import type { BenchFlags } from '../bench/bench-flags';
import { registerBenchFlags } from '../bench/bench-flags';
import type { CliCommand } from '../command';

interface BenchOptions extends BenchFlags {
  input?: string;
  json?: true;
  detach?: true;
  maxUsd?: number;
  yes?: true;
}

export const bench: CliCommand = {
  name: 'bench',
  register: (program) =>
    registerBenchFlags(
      program
        .command('bench')
        .description('Run a bench: candidates write hypotheses on one goal, a judge compares them pairwise')
        .argument('[goal]', 'the research goal; the preset’s when left out')
        .option('--input <file>', 'BenchInput as JSON, or - for stdin; flags beat it')
        .addOption(new Option('--json', 'print one JSON object, the BenchSummary').conflicts('detach'))
        .option('--detach', 'start it, print its id and return')
        .option(
          '--max-usd <usd>',
          'choose n and matches that see most for so much, and cap the bench at it',
          readSum,
        )
        .option('--yes', 'start without asking'),
    )
      .addHelpText('after', EXAMPLES)
      .checkingToo(async (goal: string | undefined, options: BenchOptions) => {
        const { checkBenchRequest } =
          require('../bench/bench-request') as typeof import('../bench/bench-request');
        await checkBenchRequest(goal, options);
      })
      .action(async (goal: string | undefined, options: BenchOptions) => {
        const { buildBenchRequest } =
          require('../bench/bench-request') as typeof import('../bench/bench-request');
        const { prepareStack, runBench } =
          require('../bench/run-bench') as typeof import('../bench/run-bench');
        const { Interrupted, sayLeft } =
          require('../bench/leave-on-interrupt') as typeof import('../bench/leave-on-interrupt');
        const { confirmSpending, fitRequest, forecastLines } =
          require('../bench/forecast-bench') as typeof import('../bench/forecast-bench');
        const asked = await buildBenchRequest(goal, options);
        const request = options.maxUsd === undefined ? asked : fitRequest(asked, options.maxUsd);
        const { coloursFor, widthOf } = require('../bench/terminal') as typeof import('../bench/terminal');
        const { bold } = coloursFor(process.stderr);
        const lines = forecastLines(request.plan, widthOf(process.stderr), bold);
        process.stderr.write(`${lines.join('\n')}\n`);
        await confirmSpending(request.plan, { isYes: Boolean(options.yes) });
        try {
          await runBench(request, await prepareStack(), {
            isJson: Boolean(options.json),
            isDetached: Boolean(options.detach),
          });
        } catch (error) {
          if (!(error instanceof Interrupted)) throw error;
          sayLeft(error.benchId);
        }
      }),
};

function readSum(text: string): number {
  const usd = Number(text);
  if (text.trim() !== '' && Number.isFinite(usd) && usd > 0) return usd;
  throw new InvalidArgumentError('a sum of dollars, a number above 0');
}

const EXAMPLES = `
Examples:
  co-scientist bench --preset demo
  co-scientist bench --preset paper-aml-vs-raw --n 1 --goldset none
  co-scientist bench "How does X cause Y?" -c gpt5=openai:gpt-5@direct \\
    -c opus=anthropic:claude-opus-4-7@direct \\
    --judge openrouter:google/gemini-3-flash-preview
  co-scientist bench --input bench.json --budget 20 --json > summary.json

Ctrl-C leaves the bench alive; \`co-scientist watch <bench>\` returns to it.
Every field: docs/guide/bench-input.md`;
