import type { CliCommand } from './command';
import { doctor } from './commands/doctor';
import { down } from './commands/down';
import { up } from './commands/up';

/** Every command of the CLI, in the order the help lists them. */
export const COMMANDS: readonly CliCommand[] = [up, down, doctor];
