import { createHash } from 'node:crypto';
import { compareText } from '../../../core/compare-text';
import type { RecordedAttempt, RecordedBench } from '../../../core/report/recorded-bench';
import { benchFileParts, benchPath, type FileHashes } from './bench-file';
import { hypothesisPath, writeHypothesis } from './hypothesis-file';
import { rubricPath, writeRubric } from './rubric-file';
import { scipivotPath, writeScipivot } from './scipivot-file';
import { transcriptPath, writeTranscript } from './transcript-file';

/** A file of a bundle; `path` from the folder of the session. */
export interface BundleFile {
  path: string;
  /** Its text, one after the other. */
  parts: Iterable<string>;
}

/**
 * The files of a bench, one at a time; the bench's own comes last, with the hashes of all others: where it stands,
 * everything does.
 * @param attempts of every call with their words, those for rubric scores too, one key after the other, in any order
 */
export async function* bundleFiles(
  record: RecordedBench,
  attempts: AsyncIterable<readonly RecordedAttempt[]>,
): AsyncGenerator<BundleFile> {
  const { benchId } = record.run;
  const hashes: FileHashes = { hypotheses: {}, transcripts: {} };
  const pathsOf = transcriptsByHypothesis(record);
  for (const hypothesis of record.hypotheses) {
    const text = writeHypothesis(benchId, hypothesis, pathsOf.get(hypothesis.id) ?? []);
    hashes.hypotheses[hypothesis.publicId] = hashOf(text);
    yield { path: hypothesisPath(hypothesis.publicId), parts: [text] };
  }
  for await (const ofKey of attempts) {
    const first = ofKey[0];
    if (!first) continue;
    const path = transcriptPath(first.kind, first.key);
    const text = writeTranscript(benchId, ofKey);
    hashes.transcripts[first.kind] ??= {};
    hashes.transcripts[first.kind]![idOf(path)] = hashOf(text);
    yield { path, parts: [text] };
  }
  if (record.scipivot !== null) {
    const text = writeScipivot(benchId, record.scipivot);
    hashes.scipivot = { [benchId]: hashOf(text) };
    yield { path: scipivotPath(benchId), parts: [text] };
  }
  if (record.rubric !== null) {
    const text = writeRubric(benchId, record.rubric);
    hashes.rubric = { [benchId]: hashOf(text) };
    yield { path: rubricPath(benchId), parts: [text] };
  }
  yield { path: benchPath(benchId), parts: benchFileParts(record, sorted(hashes)) };
}

/** The files that a bench's own file says belong to it, with their hashes, in the order of their names. */
export function listedFiles({
  hypotheses,
  transcripts,
  scipivot,
  rubric,
}: FileHashes): { path: string; sha256: string }[] {
  return [
    ...Object.entries(hypotheses).map(([id, sha256]) => ({ path: hypothesisPath(id), sha256 })),
    ...Object.entries(transcripts).flatMap(([kind, files]) =>
      Object.entries(files).map(([id, sha256]) => ({ path: `transcripts/${kind}/${id}.json`, sha256 })),
    ),
    ...Object.entries(scipivot ?? {}).map(([benchId, sha256]) => ({ path: scipivotPath(benchId), sha256 })),
    ...Object.entries(rubric ?? {}).map(([benchId, sha256]) => ({ path: rubricPath(benchId), sha256 })),
  ].sort((one, other) => compareText(one.path, other.path));
}

export function hashOf(text: string | Buffer): string {
  return createHash('sha256').update(text).digest('hex');
}

/** A slot's calls have keys that begin with its id. */
function transcriptsByHypothesis({ calls, hypotheses }: RecordedBench): Map<string, string[]> {
  const paths = new Map<string, Set<string>>(hypotheses.map(({ id }) => [id, new Set()]));
  for (const { kind, key } of calls) {
    const slot = /^(.*\/\d+)\/(?:turn\/\d+|review)$/.exec(key)?.[1];
    if (slot !== undefined) paths.get(slot)?.add(transcriptPath(kind, key));
  }
  return new Map([...paths].map(([id, ofSlot]) => [id, [...ofSlot]]));
}

function idOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1, -'.json'.length);
}

/** By id, whatever the order in which the calls were made. */
function sorted({ hypotheses, transcripts, ...rest }: FileHashes): FileHashes {
  const byName = <T>(entries: Record<string, T>) =>
    Object.fromEntries(Object.entries(entries).sort(([one], [other]) => compareText(one, other)));
  return {
    hypotheses: byName(hypotheses),
    transcripts: byName(
      Object.fromEntries(Object.entries(transcripts).map(([kind, files]) => [kind, byName(files)])),
    ),
    ...rest,
  };
}
