import { constants } from 'node:fs';
import {
  chmod,
  type FileHandle,
  link,
  lstat,
  mkdtemp,
  open,
  realpath,
  rename,
  rm,
  rmdir,
} from 'node:fs/promises';
import path from 'node:path';
import { makeFolder } from '../../activities/reporting/make-folder';
import { CliError, UsageError } from '../cli-error';

/** A directory to be made, whole, where nothing is yet. */
export interface NewDirectory {
  /** What it is to the user: the option's name. */
  option: string;
  /** Its real place, from `newPlace`. */
  place: string;
  mode: number;
  fileMode: number;
  /** Of parent directories that have to be made too. */
  parentMode: number;
  files: { name: string; text: string }[];
}

export interface NewFile {
  option: string;
  place: string;
  text: string;
}

/**
 * Where a path that must not exist yet would really be: every symbolic link above it followed.
 * @throws CliError when something is there, a dangling link included
 */
export async function newPlace(option: string, given: string): Promise<string> {
  const absolute = path.resolve(given);
  if (await exists(absolute)) throw occupied(option, absolute);
  const missing: string[] = [];
  let ancestor = absolute;
  while (!(await exists(ancestor))) {
    missing.unshift(path.basename(ancestor));
    ancestor = path.dirname(ancestor);
  }
  try {
    return path.join(await realpath(ancestor), ...missing);
  } catch (error) {
    throw new CliError({
      reason: `${option}: ${ancestor} leads nowhere (${codeOf(error)})`,
      remedy: 'mend or remove that symbolic link',
      error,
    });
  }
}

/**
 * @param places from `newPlace`, by the option's name
 * @throws UsageError when one is the other or lies inside it. Upper and lower case count as the same, as on
 *   some file systems they are.
 */
export function refuseNested(places: Readonly<Record<string, string>>): void {
  const entries = Object.entries(places);
  for (const [option, place] of entries) {
    for (const [other, otherPlace] of entries) {
      if (option === other || !isInside(place, otherPlace)) continue;
      throw new UsageError({
        reason: `${option}: ${place} is or lies in ${other}: ${otherPlace}`,
        remedy: 'give places of which none lies inside another',
      });
    }
  }
}

/**
 * Makes the directories and the file, all or none: each is built beside its place under a temporary name,
 * with its final modes whatever the umask, and then renamed. A kill between two renames can leave the first;
 * the file comes last, so where it stands everything does.
 */
export async function publish(directories: readonly NewDirectory[], file: NewFile): Promise<void> {
  const undo: (() => Promise<unknown>)[] = [];
  try {
    const built: { from: string; to: NewDirectory }[] = [];
    for (const directory of directories) built.push({ from: await build(directory, undo), to: directory });
    const receipt = await buildFile(file, undo);
    for (const { from, to } of built) await moveIntoPlace(from, to, undo);
    // A hard link, unlike a rename, never replaces what is there.
    await link(receipt, file.place).catch((error: unknown) => {
      throw codeOf(error) === 'EEXIST' ? occupied(file.option, file.place) : error;
    });
    await rm(receipt);
  } catch (error) {
    for (const step of undo.reverse()) await step().catch(() => undefined);
    throw error instanceof CliError ? error : unwritable(error);
  }
}

async function build(directory: NewDirectory, undo: (() => Promise<unknown>)[]): Promise<string> {
  const parent = path.dirname(directory.place);
  await makeParents(parent, directory.parentMode, undo);
  const temporary = await mkdtemp(path.join(parent, '.co-scientist-'));
  undo.push(() => rm(temporary, { recursive: true, force: true }));
  // mkdtemp asks for 0700, of which a umask may have taken something.
  await chmod(temporary, 0o700);
  for (const { name, text } of directory.files) {
    await writeWhole(path.join(temporary, name), text, directory.fileMode);
  }
  await chmod(temporary, directory.mode);
  await sync(temporary);
  return temporary;
}

async function buildFile({ place, text }: NewFile, undo: (() => Promise<unknown>)[]): Promise<string> {
  const parent = path.dirname(place);
  await makeParents(parent, 0o777, undo);
  const temporary = path.join(parent, `.${path.basename(place)}.${process.pid}.tmp`);
  undo.push(() => rm(temporary, { force: true }));
  await writeWhole(temporary, text, null);
  return temporary;
}

async function makeParents(parent: string, mode: number, undo: (() => Promise<unknown>)[]): Promise<void> {
  const first = makeFolder(parent, mode);
  if (first === undefined) return;
  for (let made = first; ; made = path.join(made, path.relative(made, parent).split(path.sep)[0]!)) {
    const own = made;
    undo.push(() => rmdir(own));
    if (made === parent) return;
  }
}

/** @param mode null: whatever the umask leaves */
async function writeWhole(place: string, text: string, mode: number | null): Promise<void> {
  const { O_CREAT, O_EXCL, O_WRONLY, O_NOFOLLOW } = constants;
  // Never wider than its final mode, not even for a moment.
  const file: FileHandle = await open(place, O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW, mode ?? 0o666);
  try {
    if (mode !== null) await file.chmod(mode);
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** A rename onto a file or a directory with something in it fails; an empty directory it would replace. */
async function moveIntoPlace(
  from: string,
  { option, place }: NewDirectory,
  undo: (() => Promise<unknown>)[],
): Promise<void> {
  if (await exists(place)) throw occupied(option, place);
  await rename(from, place);
  undo.push(() => rm(place, { recursive: true, force: true }));
  await sync(path.dirname(place));
}

async function sync(directory: string): Promise<void> {
  const handle = await open(directory, constants.O_RDONLY);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function isInside(inner: string, outer: string): boolean {
  const fold = (place: string) => `${place.normalize('NFC').toLowerCase()}${path.sep}`;
  return fold(inner).startsWith(fold(outer));
}

async function exists(place: string): Promise<boolean> {
  try {
    await lstat(place);
    return true;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false;
    throw unwritable(error);
  }
}

function occupied(option: string, place: string): CliError {
  return new CliError({
    reason: `${option}: ${place} exists`,
    remedy: 'give a place where nothing is: an export never overwrites',
  });
}

function unwritable(error: unknown): CliError {
  return new CliError({
    reason: `cannot write: ${error instanceof Error ? error.message : String(error)}`,
    remedy: 'check the path and its permissions; nothing of the export was left',
    error,
  });
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? 'unknown error';
}
