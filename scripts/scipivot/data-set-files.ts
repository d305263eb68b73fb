import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { textAt } from '../../activities/providers/json-path';
import { readPrompts, type SessionPrompt } from '../../activities/scipivot/prompts';
import { readReferences } from '../../activities/scipivot/references';
import { FileRefused } from '../../activities/scipivot/refusal';
import { readJson } from '../../activities/strict-json';
import { compareCaseIds } from '../../core/scipivot/case-order';
import type { Reference } from '../../core/scipivot/public-case';
import type { NewDataSet } from '../../db/scipivot-sets';
import { CliError, UsageError } from '../cli-error';
import { requireFile } from '../readable-file';
import { together } from '../together';
import { type InputHash, readInput } from './input-file';
import { refuseNested } from './new-directories';
import { PINNED } from './release-pin';

export interface DataSetOptions {
  publicDir: string;
  graderDir: string;
  name: string;
  /** The export's receipt: the two directories must be those it binds. */
  receipt?: string;
}

const NAME_PATTERN = /^[a-z0-9][a-z0-9._-]{0,63}$/;

/**
 * Reads an exported data set: the prompts of the one directory, the references of the other.
 * @returns with what a person should be warned of
 * @throws UsageError, CliError or FileRefused: a directory inside the other, files that do not belong together
 */
export async function readDataSetFiles(
  options: DataSetOptions,
): Promise<{ set: NewDataSet; warnings: string[] }> {
  const { name, publicDir, graderDir } = options;
  const [, realPublicDir, realGraderDir] = await together(
    () => requireName(name),
    () => realDirectory('--public-dir', publicDir),
    () => realDirectory('--grader-dir', graderDir),
    () => (options.receipt === undefined ? undefined : requireFile('--receipt', options.receipt)),
  );
  refuseNested({ '--public-dir': realPublicDir, '--grader-dir': realGraderDir });
  const prompts = await readInput('prompts', path.join(publicDir, 'prompts.jsonl'));
  const references = await readInput('references', path.join(graderDir, 'references.json'));
  if (options.receipt !== undefined) await checkReceipt(options.receipt, prompts.hash, references.hash);
  const sessions = readPrompts(prompts.bytes);
  const key = readReferences(references.bytes);
  refuseUnstorable(sessions);
  refuseStrangers(sessions, key.references);
  return {
    set: {
      name,
      isPinned: key.revision === PINNED.revision,
      prompts: { ...prompts.hash, sessions: inCaseOrder(sessions) },
      key: { ...references.hash, ...key },
    },
    warnings: await modeWarnings(graderDir),
  };
}

function requireName(name: string): void {
  if (NAME_PATTERN.test(name)) return;
  throw new UsageError({
    reason: `--name: ${JSON.stringify(name)} is not 1 to 64 of a–z 0–9 . _ - that begin with a letter or digit`,
    remedy: 'give another name',
  });
}

async function realDirectory(option: string, directory: string): Promise<string> {
  try {
    return await realpath(directory);
  } catch (error) {
    throw new UsageError({
      reason: `${option}: ${directory} cannot be read: ${(error as Error).message}`,
      remedy: 'give a directory that `co-scientist scipivot export` made',
      error,
    });
  }
}

async function checkReceipt(file: string, prompts: InputHash, references: InputHash): Promise<void> {
  const { bytes } = await readInput('receipt', file);
  const reading = readJson(bytes.toString('utf8'));
  const receipt = reading.kind === 'value' ? reading.value : null;
  const boundHash = (side: string, name: string) => textAt(receipt, side, 'files', name, 'sha256');
  const bound = [
    { name: 'prompts.jsonl', sha256: boundHash('public', 'prompts.jsonl'), found: prompts.sha256 },
    { name: 'references.json', sha256: boundHash('grader', 'references.json'), found: references.sha256 },
  ];
  const other = bound.find(({ sha256, found }) => sha256 !== found);
  if (!other) return;
  throw new CliError({
    reason: `--receipt: ${other.name} is not the file that ${file} binds`,
    remedy: 'give the receipt of this very export, or export again',
  });
}

function refuseUnstorable(sessions: readonly SessionPrompt[]): void {
  const at = sessions.findIndex(({ caseId, prompt }) => /[\0\p{Surrogate}]/u.test(caseId + prompt));
  if (at < 0) return;
  const rule = 'holds a NUL or half of a surrogate pair, which no database keeps';
  throw new FileRefused('prompts', [`session ${at + 1}: ${rule}`], 1);
}

/** Every case shown must have its reference, and every reference its case. */
function refuseStrangers(sessions: readonly SessionPrompt[], references: readonly Reference[]): void {
  const shown = new Set(sessions.map(({ caseId }) => caseId));
  const labelled = new Set(references.map(({ caseId }) => caseId));
  const strangers = [
    ...[...shown].filter((id) => !labelled.has(id)).map((id) => `${JSON.stringify(id)}: no reference`),
    ...[...labelled].filter((id) => !shown.has(id)).map((id) => `${JSON.stringify(id)}: no prompt`),
  ];
  if (strangers.length > 0) throw new FileRefused('prompts', strangers.slice(0, 20), strangers.length);
}

function inCaseOrder(sessions: readonly SessionPrompt[]): SessionPrompt[] {
  return [...sessions].sort(
    (one, other) => compareCaseIds(one.caseId, other.caseId) || (one.order < other.order ? -1 : 1),
  );
}

async function modeWarnings(graderDir: string): Promise<string[]> {
  const places = [graderDir, path.join(graderDir, 'references.json')];
  const modes = await Promise.all(
    places.map(async (place) => ({ place, mode: (await stat(place)).mode & 0o777 })),
  );
  return modes
    .filter(({ mode }) => (mode & 0o077) !== 0)
    .map(({ place, mode }) => `${place} is open to others (mode ${mode.toString(8)}): chmod go-rwx it`);
}
