import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { OwnProcess } from './own-process';

/** What was started, kept in stack.json between commands. */
export interface StackRecord {
  format: 1;
  postgres?: {
    dataDirectory: string;
    port: number;
    process: OwnProcess;
    /** Whom it runs as; null: the user who started it. */
    user: string | null;
    version: string;
  };
  temporal?: {
    port: number;
    uiPort: number;
    process: OwnProcess;
    namespace: string;
    executable: string;
    version: string;
  };
  worker?: {
    process: OwnProcess;
    log: string;
    taskQueue: string;
    /** False until it has said that it polls. */
    isReady: boolean;
    /** SHA-256 of the code it runs. */
    code: string;
    /** Keyed hash of each variable that matters to it, by name. */
    environment: Record<string, string>;
  };
}

/** Reads it; one that is missing or unreadable is as good as empty. */
export async function readRecord(file: string): Promise<StackRecord> {
  try {
    const record = JSON.parse(await readFile(file, 'utf8')) as StackRecord;
    if (record?.format === 1) return record;
  } catch {
    // as if nothing had been started
  }
  return { format: 1 };
}

/** The record as it is now, and the way to change parts of it. */
export interface OpenRecord {
  readonly now: StackRecord;
  /** Writes it at once; a part that is undefined is taken out. */
  change(
    parts: { [Part in 'postgres' | 'temporal' | 'worker']?: StackRecord[Part] | undefined },
  ): Promise<void>;
}

/** Opens the record for a command that holds the start lock. */
export async function openRecord(file: string): Promise<OpenRecord> {
  let now = await readRecord(file);
  let writing = Promise.resolve();
  return {
    get now() {
      return now;
    },
    change: (parts) => {
      // JSON leaves undefined parts out. One write after the other: Postgres and Temporal start side by side.
      now = { ...now, ...parts } as StackRecord;
      writing = writing.then(() => replace(file, `${JSON.stringify(now, null, 2)}\n`));
      return writing;
    },
  };
}

/** In one step, so that no reader ever sees half of it. */
async function replace(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(`${file}.new`, text);
  await rename(`${file}.new`, file);
}
