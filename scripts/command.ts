import type { CommandLine } from './command-line';

/**
 * One command of the CLI: one file in commands/ and one line in commands.ts.
 * @example
 * export const down: CliCommand = {
 *   name: 'down',
 *   register: (program) =>
 *     program
 *       .command('down')
 *       .description('End what `co-scientist up` started')
 *       .action(async () => {
 *         const { stopStack } = require('../stack/stop-stack') as typeof import('../stack/stop-stack');
 *         await stopStack({ report });
 *       }),
 * };
 */
export interface CliCommand {
  /** As typed: `co-scientist <name>`. */
  name: string;
  /**
   * Adds itself to the program. Every start of the CLI pays for what this file imports: what only the action
   * needs (Temporal, Postgres, the stack) is required inside the action. The action throws a CliError for
   * what the user can mend, a UsageError for what can never be right.
   */
  register(program: CommandLine): void;
}
