import { readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import type { z } from 'zod';
import { isDeeperThan } from '../../json-depth';
import { hashOf } from './bundle';

/** What is wrong with a bundle's files, before any figure is looked at. */
export interface BundleProblem {
  /** Path from the folder that was given. */
  file: string;
  message: string;
}

/** Of one file: all that is wrong with a plan, but not each of ten thousand matches. */
const MOST_TOLD = 100;

/** No file that is written here comes near; what walks a deeper value runs out of stack. */
const MAX_DEPTH = 500;

/** Reads the files of one bench, and keeps what is wrong with them. */
export class PartReader {
  readonly problems: BundleProblem[] = [];
  /** False once a file was found missing or unreadable. */
  isWhole = true;

  /** @param root what problems' paths are told from */
  constructor(
    private readonly folder: string,
    private readonly root: string,
  ) {}

  /**
   * @param sha256 of its bytes, as its bench lists it; left out: it is listed nowhere
   * @returns null where it cannot be read, and a problem is told
   */
  read<T>(path: string, schema: z.ZodType<T>, sha256?: string): T | null {
    const bytes = readIfThere(join(this.folder, path));
    if (bytes === null) return this.refuse(path, ['is missing']);
    if (sha256 !== undefined && hashOf(bytes) !== sha256)
      this.tell(path, ['has other bytes than its bench lists']);
    const value = parse(bytes);
    if (value === undefined) return this.refuse(path, ['is not JSON']);
    if (isDeeperThan(value, MAX_DEPTH))
      return this.refuse(path, [`is JSON of more than ${MAX_DEPTH} levels`]);
    const result = schema.safeParse(value);
    if (result.success) return result.data;
    return this.refuse(
      path,
      result.error.issues.map(({ path: at, message }) => `${placeOf(at)}: ${message}`),
    );
  }

  /** With a message, the bundle is not whole any more. */
  refuse(path: string, messages: readonly string[]): null {
    this.tell(path, mostOf(messages));
    if (messages.length > 0) this.isWhole = false;
    return null;
  }

  tell(path: string, messages: readonly string[]): void {
    const file = relative(this.root, join(this.folder, path)).split(sep).join('/');
    this.problems.push(...messages.map((message) => ({ file, message })));
  }
}

function mostOf(messages: readonly string[]): string[] {
  const more = messages.length > MOST_TOLD ? [`and ${messages.length - MOST_TOLD} more of the kind`] : [];
  return [...messages.slice(0, MOST_TOLD), ...more];
}

function readIfThere(place: string): Buffer | null {
  try {
    return readFileSync(place);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'EISDIR') return null;
    throw error;
  }
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8')) as unknown;
  } catch {
    return undefined;
  }
}

function placeOf(path: readonly PropertyKey[]): string {
  const place = path.map((part, i) =>
    typeof part === 'number' ? `[${part}]` : `${i > 0 ? '.' : ''}${String(part)}`,
  );
  return place.join('') || 'the file';
}
