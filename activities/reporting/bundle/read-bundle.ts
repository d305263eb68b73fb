import { type Dirent, readdirSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { compareText } from '../../../core/compare-text';
import type { RecordedAttempt, RecordedBench, RecordedHypothesis } from '../../../core/report/recorded-bench';
import { type BenchFile, benchFileSchema, readBench } from './bench-file';
import { listedFiles } from './bundle';
import { hypothesisFileSchema, readHypothesis } from './hypothesis-file';
import { misplacedCalls, misplacedParts, scopesOf } from './misplaced';
import { type BundleProblem, PartReader } from './part-reader';
import { readRubric, rubricFileSchema, rubricPath } from './rubric-file';
import { readScipivot, scipivotFileSchema, scipivotPath } from './scipivot-file';
import { readTranscript, transcriptFileSchema, transcriptPath } from './transcript-file';

/** Where a bench's files lie. */
export interface BundlePlace {
  /** The folder of its session, which holds `bench/`, `hypotheses/` and `transcripts/`. */
  folder: string;
  benchId: string;
}

/** A bench as its files have it. */
export interface ReadBundle {
  file: BenchFile;
  bench: Omit<RecordedBench, 'calls'>;
  problems: BundleProblem[];
  /** False once a file was found missing or unreadable: then figures cannot be made again. */
  isWhole(): boolean;
  /** Every call of the bench, one file at a time; what is wrong with a file is added to `problems` as it is read. */
  attempts(): Generator<RecordedAttempt[]>;
  /** In the same way, the calls for rubric scores: no figure of the bench is made of them. */
  rubricAttempts(): Generator<RecordedAttempt[]>;
}

/** The benches of a folder: the folder of one session, or one that holds such folders. By bench id. */
export function findBundles(root: string): BundlePlace[] {
  const folders = [root, ...subfolders(root).map((name) => join(root, name))];
  return folders
    .flatMap((folder) =>
      filesOf(join(folder, 'bench')).map((name) => ({ folder, benchId: name.slice(0, -'.json'.length) })),
    )
    .sort((one, other) => compareText(one.benchId, other.benchId));
}

/** Reads a bench's own file and its hypotheses. @param root what problems' paths are told from */
export function readBundle({ folder, benchId }: BundlePlace, root: string): ReadBundle | BundleProblem[] {
  const reader = new PartReader(folder, root);
  const path = `bench/${benchId}.json`;
  const file = reader.read(path, benchFileSchema);
  if (!file) return reader.problems;
  if (file.benchId !== benchId) reader.tell(path, [`calls itself ${file.benchId}`]);
  const listed = listedFiles(file.files);
  const bench = {
    ...readBench(file),
    hypotheses: readHypotheses(reader, benchId, listed).sort(byPlan(file)),
    scipivot: readScipivotPart(reader, benchId, listed),
    rubric: readRubricPart(reader, benchId, listed),
  };
  // Where a file is missing or broken, what names its parts is not to blame.
  if (reader.isWhole) reader.refuse(path, misplacedParts(bench));
  const transcripts = listed.filter((part) => part.path.startsWith('transcripts/'));
  const isOfRubric = (part: ListedFile) => part.path.startsWith('transcripts/rubric/');
  return {
    file,
    bench,
    problems: reader.problems,
    isWhole: () => reader.isWhole,
    attempts: () =>
      readAttempts(
        reader,
        bench,
        transcripts.filter((part) => !isOfRubric(part)),
      ),
    rubricAttempts: () => readAttempts(reader, bench, transcripts.filter(isOfRubric)),
  };
}

type ListedFile = ReturnType<typeof listedFiles>[number];

function readHypotheses(
  reader: PartReader,
  benchId: string,
  listed: readonly ListedFile[],
): RecordedHypothesis[] {
  return listed
    .filter(({ path }) => path.startsWith('hypotheses/'))
    .flatMap(({ path, sha256 }) => {
      const found = reader.read(path, hypothesisFileSchema, sha256);
      if (!found) return [];
      reader.refuse(path, [...ofAnother(found.benchId, benchId), ...otherName(path, found.publicId)]);
      return [readHypothesis(found)];
    });
}

function readScipivotPart(
  reader: PartReader,
  benchId: string,
  listed: readonly ListedFile[],
): RecordedBench['scipivot'] {
  const part = listed.find(({ path }) => path === scipivotPath(benchId));
  const found = part && reader.read(part.path, scipivotFileSchema, part.sha256);
  return found ? readScipivot(found) : null;
}

function readRubricPart(
  reader: PartReader,
  benchId: string,
  listed: readonly ListedFile[],
): RecordedBench['rubric'] {
  const part = listed.find(({ path }) => path === rubricPath(benchId));
  const found = part && reader.read(part.path, rubricFileSchema, part.sha256);
  if (!found) return null;
  reader.refuse(part.path, ofAnother(found.benchId, benchId));
  return readRubric(found);
}

function* readAttempts(
  reader: PartReader,
  bench: ReadBundle['bench'],
  transcripts: readonly ListedFile[],
): Generator<RecordedAttempt[]> {
  const { benchId } = bench.run;
  const scopes = scopesOf(bench);
  for (const { path, sha256 } of transcripts) {
    const transcript = reader.read(path, transcriptFileSchema, sha256);
    if (!transcript) continue;
    const attempts = readTranscript(transcript);
    const isElsewhere = transcriptPath(transcript.kind, transcript.key) !== path;
    reader.refuse(path, [
      ...ofAnother(transcript.benchId, benchId),
      ...(isElsewhere ? [`holds ${transcript.key}, whose file has another name`] : []),
      ...otherName(path, transcript.id),
      ...misplacedCalls(benchId, attempts, scopes),
    ]);
    yield attempts;
  }
}

function ofAnother(other: string, benchId: string): string[] {
  return other === benchId ? [] : [`belongs to ${other}`];
}

function byPlan({ candidates }: BenchFile): (one: RecordedHypothesis, other: RecordedHypothesis) => number {
  const places = new Map(candidates.map(({ id, position }) => [id, position]));
  const placeOf = ({ candidateId }: RecordedHypothesis) => places.get(candidateId) ?? 0;
  return (one, other) => placeOf(one) - placeOf(other) || one.k - other.k;
}

/** Files that lie in a session's folder and belong to none of its benches, by path from it. */
export function strayFiles(folder: string, benches: readonly BenchFile[]): string[] {
  const known = new Set(
    benches.flatMap(({ benchId, files }) => [
      `bench/${benchId}.json`,
      ...listedFiles(files).map(({ path }) => path),
    ]),
  );
  return ['bench', 'hypotheses', 'rubric', 'scipivot', 'transcripts']
    .flatMap((part) => filesBelow(join(folder, part)))
    .map((path) => relative(folder, path).split(sep).join('/'))
    .filter((path) => !known.has(path))
    .sort(compareText);
}

/** A file is found by its name: what it calls itself would be looked for elsewhere. */
function otherName(path: string, id: string): string[] {
  return path.endsWith(`/${id}.json`) ? [] : [`calls itself ${id}`];
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return [];
    throw error;
  }
}

function subfolders(folder: string): string[] {
  return entriesOf(folder)
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .map(({ name }) => name);
}

/** Names of a folder's JSON files; a file that begins with a dot is one half written. */
function filesOf(folder: string): string[] {
  return entriesOf(folder)
    .filter((entry) => entry.isFile() && entry.name.endsWith('.json') && !entry.name.startsWith('.'))
    .map(({ name }) => name);
}

function filesBelow(folder: string): string[] {
  return [
    ...filesOf(folder).map((name) => join(folder, name)),
    ...subfolders(folder).flatMap((name) => filesBelow(join(folder, name))),
  ];
}
