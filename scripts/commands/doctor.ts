import { type Colours, type Screen, screenOf } from '../bench/terminal';
import { CliError } from '../cli-error';
import type { CliCommand } from '../command';
import type { Finding } from '../stack/finding';

const SIGNS: Record<Finding['state'], (colours: Colours) => string> = {
  ok: ({ green }) => green('ok     '),
  note: ({ yellow }) => yellow('note   '),
  missing: ({ red }) => red('missing'),
};

export const doctor: CliCommand = {
  name: 'doctor',
  register: (program) =>
    program
      .command('doctor')
      .description('Say what is here and what is missing, with the line that mends it')
      .option('--json', 'print one JSON object')
      .addHelpText('after', '\nExits with 0 when a bench on simulated models can run, else with 1.')
      .action(async (options: { json?: true }) => {
        const { examine } = require('../stack/examination') as typeof import('../stack/examination');
        const findings = await examine();
        const missing = findings.filter((finding) => finding.state === 'missing');
        const report = { format: 1, canRunBench: missing.length === 0, findings };
        process.stdout.write(
          options.json ? `${JSON.stringify(report, null, 2)}\n` : table(findings, screenOf(process.stdout)),
        );
        if (missing.length === 0) return;
        throw new CliError({
          reason: `a bench cannot run here: ${missing.map((finding) => finding.name).join(', ')}`,
          remedy: [...new Set(missing.map((finding) => finding.remedy))].join('; '),
        });
      }),
};

function table(findings: Finding[], { width, colours }: Screen): string {
  const { besideHead } = require('../bench/wrapped-text') as typeof import('../bench/wrapped-text');
  const nameWidth = Math.max(...findings.map((finding) => finding.name.length));
  return findings
    .flatMap(({ name, state, found, remedy }) => {
      const head = `${SIGNS[state](colours)}  ${colours.bold(name.padEnd(nameWidth))}  `;
      const mend = remedy && state !== 'ok' ? [colours.dim(`→ ${remedy}`)] : [];
      const below = ' '.repeat(nameWidth + 11);
      return [...besideHead(head, found, width), ...mend.flatMap((text) => besideHead(below, text, width))];
    })
    .map((line) => `${line}\n`)
    .join('');
}
