import type { CliCommand } from '../command';
export const doctor: CliCommand = { name: 'doctor', register: () => undefined };
