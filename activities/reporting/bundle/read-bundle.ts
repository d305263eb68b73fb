import { type Dirent, readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import type { z } from 'zod';
import { compareText } from '../../../core/report/compare-text';
import type { RecordedAttempt, RecordedBench, RecordedHypothesis } from '../../../core/report/recorded-bench';
import { isDeeperThan } from '../../json-depth';
import { type BenchFile, benchFileSchema, readBench } from './bench-file';
import { hashOf, listedFiles } from './bundle';
import { hypothesisFileSchema, readHypothesis } from './hypothesis-file';
import { misplacedCalls, misplacedParts } from './misplaced';
import { readRubric, rubricFileSchema, rubricPath } from './rubric-file';
import { readScipivot, scipivotFileSchema, scipivotPath } from './scipivot-file';
import { readTranscript, transcriptFileSchema, transcriptPath } from './transcript-file';

/** What is wrong with a bundle's files, before any figure is looked at. */
export interface BundleProblem {
  /** Path from the folder that was given. */
  file: string;
  message: string;
}

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
  const problems: BundleProblem[] = [];
  let isWhole = true;
  const reader = fileReader(folder, root, problems, () => {
    isWhole = false;
  });
  const file = reader(`bench/${benchId}.json`, benchFileSchema);
  if (!file) return problems;
  if (file.benchId !== benchId) {
    problems.push({ file: `bench/${benchId}.json`, message: `calls itself ${file.benchId}` });
  }
  const listed = listedFiles(file.files);
  const refuse = (path: string, messages: readonly string[]) => {
    const place = relative(root, join(folder, path)).split(sep).join('/');
    problems.push(...mostOf(messages).map((message) => ({ file: place, message })));
    if (messages.length > 0) isWhole = false;
  };
  const ofAnother = (other: string) => (other === benchId ? [] : [`belongs to ${other}`]);
  const hypotheses = listed
    .filter(({ path }) => path.startsWith('hypotheses/'))
    .flatMap(({ path, sha256 }) => {
      const found = reader(path, hypothesisFileSchema, sha256);
      if (found) refuse(path, [...ofAnother(found.benchId), ...otherName(path, found.publicId)]);
      return found ?? [];
    })
    .map(readHypothesis)
    .sort(byPlan(file));
  const scipivot = listed
    .filter(({ path }) => path === scipivotPath(benchId))
    .map(({ path, sha256 }) => reader(path, scipivotFileSchema, sha256))
    .map((found) => found && readScipivot(found));
  const rubric = listed
    .filter(({ path }) => path === rubricPath(benchId))
    .map(({ path, sha256 }) => {
      const found = reader(path, rubricFileSchema, sha256);
      if (found) refuse(path, ofAnother(found.benchId));
      return found && readRubric(found);
    });
  const transcripts = listed.filter(({ path }) => path.startsWith('transcripts/'));
  const bench = { ...readBench(file), hypotheses, scipivot: scipivot[0] ?? null, rubric: rubric[0] ?? null };
  // Where a file is missing or broken, what names its parts is not to blame.
  if (isWhole) refuse(`bench/${benchId}.json`, misplacedParts(bench));
  function* read(files: typeof transcripts): Generator<RecordedAttempt[]> {
    for (const { path, sha256 } of files) {
      const transcript = reader(path, transcriptFileSchema, sha256);
      if (!transcript) continue;
      const attempts = readTranscript(transcript);
      const isElsewhere = transcriptPath(transcript.kind, transcript.key) !== path;
      refuse(path, [
        ...ofAnother(transcript.benchId),
        ...(isElsewhere ? [`holds ${transcript.key}, whose file has another name`] : []),
        ...otherName(path, transcript.id),
        ...misplacedCalls(bench, attempts),
      ]);
      yield attempts;
    }
  }
  const isOfRubric = ({ path }: { path: string }) => path.startsWith('transcripts/rubric/');
  return {
    file,
    bench,
    problems,
    isWhole: () => isWhole,
    attempts: () => read(transcripts.filter((transcript) => !isOfRubric(transcript))),
    rubricAttempts: () => read(transcripts.filter(isOfRubric)),
  };
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

/** Of one file: all that is wrong with a plan, but not each of ten thousand matches. */
const MOST_TOLD = 100;

/** No file that is written here comes near; what walks a deeper value runs out of stack. */
const MAX_DEPTH = 500;

type FileReader = <T>(path: string, schema: z.ZodType<T>, sha256?: string) => T | null;

function fileReader(folder: string, root: string, problems: BundleProblem[], miss: () => void): FileReader {
  return (path, schema, sha256) => {
    const place = join(folder, path);
    const file = relative(root, place).split(sep).join('/');
    const tell = (message: string) => problems.push({ file, message });
    const refuse = (...messages: string[]) => {
      messages.forEach(tell);
      miss();
      return null;
    };
    const bytes = readIfThere(place);
    if (bytes === null) return refuse('is missing');
    if (sha256 !== undefined && hashOf(bytes) !== sha256) tell('has other bytes than its bench lists');
    const value = parse(bytes);
    if (value === undefined) return refuse('is not JSON');
    if (isDeeperThan(value, MAX_DEPTH)) return refuse(`is JSON of more than ${MAX_DEPTH} levels`);
    const result = schema.safeParse(value);
    if (result.success) return result.data;
    const found = result.error.issues.map(({ path: at, message: m }) => `${placeOf(at)}: ${m}`);
    return refuse(...mostOf(found));
  };
}

function mostOf(messages: readonly string[]): string[] {
  const more = messages.length > MOST_TOLD ? [`and ${messages.length - MOST_TOLD} more of the kind`] : [];
  return [...messages.slice(0, MOST_TOLD), ...more];
}

/** A file is found by its name: what it calls itself would be looked for elsewhere. */
function otherName(path: string, id: string): string[] {
  return path.endsWith(`/${id}.json`) ? [] : [`calls itself ${id}`];
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
