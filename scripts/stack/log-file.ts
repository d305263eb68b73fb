import { mkdir, open, rename, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

const ROTATE_AT_BYTES = 10_000_000;

/** A log that a child process writes to, opened for appending. */
export interface LogFile {
  path: string;
  /** For the child's stdout and stderr. */
  fd: number;
  /** What was written since it was opened, by line, blank ones left out. */
  newLines(): Promise<string[]>;
  close(): Promise<void>;
}

/** Opens a log for one more start; a log over 10 MB is kept as `<name>.old` and begun anew. */
export async function openLog(path: string): Promise<LogFile> {
  await mkdir(dirname(path), { recursive: true });
  const size = (await stat(path).catch(() => null))?.size ?? 0;
  if (size > ROTATE_AT_BYTES) await rename(path, `${path}.old`);
  const handle = await open(path, 'a+', 0o600);
  const from = size > ROTATE_AT_BYTES ? 0 : size;
  return {
    path,
    fd: handle.fd,
    newLines: async () => {
      const length = Math.max(0, (await handle.stat()).size - from);
      const { buffer } = await handle.read(Buffer.alloc(length), 0, length, from);
      return buffer
        .toString('utf8')
        .split('\n')
        .filter((line) => line.trim() !== '');
    },
    close: () => handle.close(),
  };
}
