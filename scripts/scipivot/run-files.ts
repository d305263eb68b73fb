import { readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { makeFolder } from '../../activities/reporting/make-folder';
import type { BenchSummary } from '../../core/bench-summary';
import type { ScipivotSubject, ScipivotSummary } from '../../core/scipivot/summary';
import { type Database, openDatabase } from '../../db/database';
import { type EndedSession, readSessions } from '../../db/scipivot';
import { readAnswerKey } from '../../db/scipivot-sets';
import { CliError } from '../cli-error';
import { unreadable } from '../readable-file';
import type { Stack } from '../stack/ensure-stack';
import { type InputHash, sha256Of } from './input-file';
import { runReport } from './run-report';
import { scoreReport } from './score-report';
import { writeReport } from './write-report';

/** A bench's summary that has sessions in it. */
export type ScipivotBench = BenchSummary & { scipivot: ScipivotSummary };

/**
 * Writes what a bench's sessions came to: for everyone asked `predictions.jsonl`, as `scipivot score` takes it, and
 * `score.json`, as `scipivot score` makes it; and `run.json` over all of them.
 * @param directory made where it is not there
 */
export async function writeRunFiles(
  db: Database,
  stack: Stack,
  summary: ScipivotBench,
  directory: string,
): Promise<void> {
  const { benchId, scipivot } = summary;
  const key = await readKeyFile(stack, scipivot.dataSet);
  makeFolder(directory);
  const folders = new Map<string, string>();
  for (const [i, subject] of scipivot.subjects.entries()) {
    const folder = folderOf(subject, i);
    const predictions = writePredictions(await readSessions(db, { benchId, subject: subject.subject }));
    makeFolder(path.join(directory, folder));
    await writeFile(path.join(directory, folder, 'predictions.jsonl'), predictions);
    folders.set(subject.subject, folder);
    if (subject.score === null) continue;
    const inputs = { references: key.hash, predictions: hashOf(predictions) };
    const report = scoreReport(subject.score, key.revision, inputs);
    await writeReport(path.join(directory, folder, 'score.json'), report, {});
  }
  await writeReport(path.join(directory, 'run.json'), runReport(summary, key.revision, folders), {});
}

/** @throws CliError when something is there already, or it can be no directory */
export async function refuseUsedDirectory(directory: string): Promise<void> {
  const remedy = 'give a directory that is empty or not there: files of two runs are never mixed';
  const place = `--output-dir: ${directory}`;
  const there = await readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw unreadable(place, error, remedy);
  });
  if (there.length > 0) throw new CliError({ reason: `${place} has something in it`, remedy });
}

async function readKeyFile(stack: Stack, name: string): Promise<{ revision: string; hash: InputHash }> {
  const grader = openDatabase(stack.databaseUrls.grader, { maxConnections: 1 });
  try {
    const key = await readAnswerKey(grader, name);
    if (!key) throw new Error(`SciΠvot: no references of ${name}`);
    return {
      revision: key.revision,
      hash: { sha256: key.references_sha256, bytes: key.references_bytes },
    };
  } finally {
    await grader.destroy();
  }
}

/** Numbered, since a label or a model may be no file's name: `02-gpt-5`. */
function folderOf({ subject, role }: ScipivotSubject, position: number): string {
  const name = subject.replace(/[^A-Za-z0-9._-]+/g, '_');
  return `${String(position + 1).padStart(2, '0')}-${role === 'judge' ? 'judge-' : ''}${name}`;
}

/** One session a line, in the order of the prompts; sessions that were not held have none. */
function writePredictions(sessions: readonly EndedSession[]): string {
  return sessions
    .map(
      ({ caseId, order, status, response }) =>
        `${JSON.stringify({ case_id: caseId, order, status, response })}\n`,
    )
    .join('');
}

function hashOf(text: string): InputHash {
  return { sha256: sha256Of(text), bytes: Buffer.byteLength(text) };
}
