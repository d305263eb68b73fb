/** Says a line to whoever runs this process. */
export type Say = (line: string) => void;

/** Whether logs are JSON lines: `CO_SCIENTIST_LOG=json`. */
export function isJsonLog(env: NodeJS.ProcessEnv): boolean {
  return env.CO_SCIENTIST_LOG?.trim() === 'json';
}

/** @param who as in `worker` */
export function sayAs(who: string, env: NodeJS.ProcessEnv = process.env): Say {
  if (isJsonLog(env)) return (line) => writeJsonLine('INFO', new Date(), line, { process: who });
  return (line) => process.stderr.write(`${who}: ${line}\n`);
}

/** One line on stderr. Of an error its name and message are kept, never more. */
export function writeJsonLine(
  level: string,
  at: Date,
  message: string,
  fields: Record<string, unknown>,
): void {
  const line = { time: at.toISOString(), level, message, ...fields };
  process.stderr.write(`${JSON.stringify(line, (_, value: unknown) => plain(value))}\n`);
}

function plain(value: unknown): unknown {
  if (typeof value === 'bigint') return String(value);
  return value instanceof Error ? { name: value.name, message: value.message } : value;
}
