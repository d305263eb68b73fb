import { Option } from 'commander';
import type { CaseIds } from '../../activities/scipivot/prompts';
import { CliError } from '../cli-error';
import type { CliCommand } from '../command';
import type { CommandLine } from '../command-line';
import { refusalsTold } from '../scipivot/refusals-told';
import { registerRunCommands } from '../scipivot/run-commands';

/** The options-only evaluation: what of it works without any model, and running models on it. */
export const scipivot: CliCommand = {
  name: 'scipivot',
  register: (program) => {
    const group = program
      .command('scipivot')
      .description(
        'SciΠvot, options only: audit, export and score need no model and no network; run asks models',
      );
    registerAudit(group);
    registerExport(group);
    registerScore(group);
    registerRunCommands(group);
  },
};

const ALLOW_UNPINNED =
  'take files with another hash than the pinned release, and mark every output `unpinned`';

function registerAudit(group: CommandLine): void {
  group
    .command('audit')
    .description('Check a release: hashes, counts, and the arithmetic of its aggregates')
    .requiredOption('--questions <file>', 'the release’s questions.json, references included')
    .requiredOption('--aggregates <file>', 'the release’s all_model_scores.csv')
    .requiredOption('--output <file>', 'where the report goes, as JSON')
    .option('--allow-unpinned', ALLOW_UNPINNED, false)
    .action(async (options: AuditArguments) => {
      const { buildAuditReport } =
        require('../scipivot/audit-report') as typeof import('../scipivot/audit-report');
      const report = await refusalsTold(buildAuditReport(options));
      await write(options.output, report, {
        '--questions': options.questions,
        '--aggregates': options.aggregates,
      });
      for (const { name, expected, found, passed } of report.checks) {
        console.log(
          `${passed ? 'ok    ' : 'FAILED'} ${name}: ${found}${passed ? '' : `, expected ${expected}`}`,
        );
      }
      if (report.status === 'passed') return;
      throw new CliError({
        reason: `audit failed: ${report.problems[0] ?? 'the counts are not those of the release'}`,
        remedy: `see problems and checks in ${options.output}`,
      });
    });
}

interface AuditArguments {
  questions: string;
  aggregates: string;
  output: string;
  allowUnpinned: boolean;
}

function registerExport(group: CommandLine): void {
  group
    .command('export')
    .description('Split a release: 496 prompts for whoever runs models, references for the grader alone')
    .requiredOption('--questions <file>', 'the release’s questions.json, references included')
    .requiredOption('--public-dir <directory>', 'to be made: prompts.jsonl and nothing else')
    .requiredOption('--grader-dir <directory>', 'to be made, mode 0700: references.json, case-ids.json')
    .requiredOption('--output <file>', 'to be made: the receipt, as JSON')
    .addOption(
      new Option('--case-ids <which>', 'ids made from the public texts, or the release’s own')
        .choices(['opaque', 'source'])
        .default('opaque'),
    )
    .option('--allow-unpinned', ALLOW_UNPINNED, false)
    .action(async (options: ExportArguments) => {
      const { exportRelease } =
        require('../scipivot/export-release') as typeof import('../scipivot/export-release');
      const receipt = await refusalsTold(exportRelease(options));
      console.log(`${receipt.n_prompts} prompts of ${receipt.n_cases} cases in ${options.publicDir}`);
      console.log(`references in ${options.graderDir}, for the grader alone; receipt ${options.output}`);
    });
}

interface ExportArguments {
  questions: string;
  publicDir: string;
  graderDir: string;
  output: string;
  caseIds: CaseIds;
  allowUnpinned: boolean;
}

function registerScore(group: CommandLine): void {
  group
    .command('score')
    .description('Score predictions against references: the strict mean and its bootstrap interval')
    .requiredOption('--references <file>', 'references.json of the grader directory')
    .requiredOption('--predictions <file>', 'one JSON object a line: case_id, order, status, response')
    .requiredOption('--output <file>', 'where the score goes, as JSON')
    .action(async (options: ScoreArguments) => {
      const { buildScoreReport } =
        require('../scipivot/score-report') as typeof import('../scipivot/score-report');
      const { scoreSummary } =
        require('../scipivot/score-summary') as typeof import('../scipivot/score-summary');
      const report = await refusalsTold(buildScoreReport(options));
      await write(options.output, report, {
        '--references': options.references,
        '--predictions': options.predictions,
      });
      console.log(scoreSummary(report));
    });
}

interface ScoreArguments {
  references: string;
  predictions: string;
  output: string;
}

async function write(output: string, report: object, inputs: Record<string, string>): Promise<void> {
  const { writeReport } = require('../scipivot/write-report') as typeof import('../scipivot/write-report');
  await writeReport(output, report, inputs);
}
