import release from '../../presets/scipivot/official-release.json';
import { CliError } from '../cli-error';
import type { InputHash } from './input-file';

/** Whether an output rests on the very files the owner's document pins. */
export interface Pin {
  status: 'pinned' | 'unpinned';
  /** The pinned revision, or `unpinned:` and the hash of the questions. */
  revision: string;
  /** What the document pins. */
  expected: { revision: string; questions_sha256: string; aggregates_sha256: string };
}

export const PINNED = {
  revision: release.revision,
  questions_sha256: release.questions.sha256,
  aggregates_sha256: release.aggregates.sha256,
};

/**
 * @param aggregates null where a command reads none
 * @throws CliError when a hash is another one and `allowUnpinned` is not set
 */
export function pinRelease(
  files: { questions: InputHash; aggregates: InputHash | null },
  allowUnpinned: boolean,
): Pin {
  const others = [
    mismatch('questions', files.questions, PINNED.questions_sha256),
    files.aggregates && mismatch('aggregates', files.aggregates, PINNED.aggregates_sha256),
  ].filter((problem) => problem !== null);
  if (others.length > 0 && !allowUnpinned) {
    throw new CliError({
      reason: others.join('; '),
      remedy: `take the files of revision ${PINNED.revision}, or add --allow-unpinned, which marks every output`,
    });
  }
  return others.length === 0
    ? { status: 'pinned', revision: PINNED.revision, expected: PINNED }
    : { status: 'unpinned', revision: `unpinned:${files.questions.sha256}`, expected: PINNED };
}

function mismatch(what: string, { sha256 }: InputHash, expected: string): string | null {
  return sha256 === expected ? null : `${what}: SHA-256 ${sha256} is not the pinned ${expected}`;
}
