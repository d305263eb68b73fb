import { compareText } from '../../../core/compare-text';
import { slotsPerCandidate } from '../../../core/replicates';
import { checkFigures } from '../../../core/report/check-figures';
import { checkRubric } from '../../../core/report/check-rubric';
import { type Difference, differencesBetween, differingFigures } from '../../../core/report/difference';
import type { RecordedAttempt, RecordedBench, RecordedCall } from '../../../core/report/recorded-bench';
import { reportedModels, usedPrices } from '../../../core/report/versions';
import { isConductUnkept } from '../../../core/unkept-conduct';
import { publicId } from '../../../db/public-id';
import { catalogue, findGoldSet } from '../../../presets';
import { KNOWN_PROVIDERS } from '../../providers';
import type { BenchFile } from '../bundle/bench-file';
import type { BundleProblem } from '../bundle/part-reader';
import { type BundlePlace, findBundles, readBundle, strayFiles } from '../bundle/read-bundle';
import { RawAnswers } from './raw-answers';
import { RawRubric } from './raw-rubric';

/** What came of holding a folder of artifacts against itself. */
export interface Verification {
  benches: BenchVerification[];
  /** Files that cannot be what they should be. */
  problems: BundleProblem[];
}

export interface BenchVerification {
  benchId: string;
  matches: number;
  calls: number;
  /** Figures that do not follow from the raw verdicts, hypotheses and calls. */
  differences: Difference[];
  /** What could not be checked, and why. */
  unchecked: string[];
}

/** Checks every bench of a folder: schemas, hashes, ids, and every figure made again from what it is made of. */
export function verifyBundles(root: string): Verification {
  const problems: BundleProblem[] = [];
  const benches: BenchVerification[] = [];
  const filesByFolder = new Map<string, BenchFile[]>();
  for (const place of findBundles(root)) {
    const verified = verifyBundle(place, root, problems);
    if (!verified) continue;
    benches.push(verified.verification);
    filesByFolder.set(place.folder, [...(filesByFolder.get(place.folder) ?? []), verified.file]);
  }
  for (const [folder, files] of filesByFolder) {
    for (const file of strayFiles(folder, files))
      problems.push({ file, message: 'belongs to no bench here' });
  }
  return { benches, problems };
}

function verifyBundle(
  place: BundlePlace,
  root: string,
  problems: BundleProblem[],
): { verification: BenchVerification; file: BenchFile } | null {
  const bundle = readBundle(place, root);
  if (Array.isArray(bundle)) {
    problems.push(...bundle);
    return null;
  }
  const raw = new RawAnswers(bundle.bench);
  const rawRubric = new RawRubric(bundle.bench);
  const own = checkCalls(bundle.attempts(), [raw]);
  const rubric = checkCalls(bundle.rubricAttempts(), [raw, rawRubric]);
  problems.push(...bundle.problems);
  const calls = own.calls.sort(
    (one, other) => compareText(one.key, other.key) || one.attempt - other.attempt,
  );
  const record: RecordedBench = { ...bundle.bench, calls };
  const goldSet = knownGoldSet(record.run.plan.goldSet);
  const differences = [...own.differences, ...rubric.differences];
  const unchecked = [...uncheckedParts(record, goldSet !== null), ...rawRubric.unchecked()];
  if (bundle.isWhole()) {
    differences.push(...raw.rest(), ...checkFigures(record, goldSet), ...ownDifferences(bundle.file, record));
    differences.push(...rawRubric.rest(), ...checkRubric(record, rubric.calls));
  } else {
    unchecked.unshift('figures: files of the bench are missing or cannot be read');
  }
  return {
    file: bundle.file,
    verification: {
      benchId: place.benchId,
      matches: record.matches.length,
      calls: calls.length + rubric.calls.length,
      differences,
      unchecked,
    },
  };
}

/** @returns the calls without their requests and responses, of which memory could not hold all */
function checkCalls(
  attemptsByKey: Iterable<RecordedAttempt[]>,
  readers: readonly { check(attempts: readonly RecordedAttempt[]): Difference[] }[],
): { calls: RecordedCall[]; differences: Difference[] } {
  const calls: RecordedCall[] = [];
  const differences: Difference[] = [];
  for (const attempts of attemptsByKey) {
    differences.push(...readers.flatMap((reader) => reader.check(attempts)));
    for (const { request: _, response: __, ...call } of attempts) calls.push(call);
  }
  return { calls, differences };
}

/** What the bench's file says of its other parts. */
function ownDifferences(file: BenchFile, record: RecordedBench): Difference[] {
  const { run, hypotheses, calls } = record;
  return [
    ...differencesBetween('versions', file.versions, {
      prompts: run.plan.prompts,
      priceTable: run.plan.priceTable,
      reportedModels: reportedModels(calls),
    }),
    ...differencesBetween('prices', file.prices, usedPrices(run.plan)),
    ...differingFigures('bench', {
      seed: [file.seed, run.plan.seed],
      goal: [file.goal, run.plan.goal],
      goldSet: [file.goldSet, run.plan.goldSet],
      simulated: [file.simulated, run.plan.isSimulated],
      slots: [hypotheses.length, run.plan.candidates.length * slotsPerCandidate(run.plan)],
      candidates: [
        record.candidates.map(({ label }) => label),
        run.plan.candidates.map(({ label }) => label),
      ],
    }),
    ...hypotheses.flatMap(({ id, publicId: stored }) =>
      differingFigures(id, { publicId: [stored, publicId('hyp', id)] }),
    ),
  ];
}

/** null: there is none, or it is not known here. */
export function knownGoldSet(name: string | null): ReturnType<typeof findGoldSet> | null {
  if (name === null || !catalogue(KNOWN_PROVIDERS).goldSets.includes(name)) return null;
  return findGoldSet(name);
}

function uncheckedParts({ run }: RecordedBench, hasGoldSet: boolean): string[] {
  const parts: string[] = [];
  if (run.summary === null) parts.push(`results: the bench is ${run.state}, none are written yet`);
  if (run.summary !== null && isConductUnkept(run.summary)) {
    parts.push(
      'how its judges judged, in the summary: unknown, as it was written before that of a night was kept',
    );
  }
  if (run.plan.goldSet !== null && !hasGoldSet) {
    parts.push(`gold hits: the set ${run.plan.goldSet} is not registered here`);
  }
  if (run.summary?.scipivot) parts.push('SciΠvot’s scores: its references are in no bundle');
  return parts;
}
