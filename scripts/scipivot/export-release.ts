import {
  type CaseIds,
  OPTIONS_ONLY_PROMPT,
  promptTemplateHash,
  publicUnderId,
  sessionPrompts,
  writePrompts,
} from '../../activities/scipivot/prompts';
import { readQuestions } from '../../activities/scipivot/questions';
import { writeReferences } from '../../activities/scipivot/references';
import { compareCaseIds } from '../../core/scipivot/case-order';
import { SCIPIVOT_LIMITS } from '../../core/scipivot/limits';
import type { SourceCase } from '../../core/scipivot/public-case';
import { readInput, sha256Of } from './input-file';
import { type NewDirectory, newPlace, publish, refuseNested } from './new-directories';
import { pinRelease } from './release-pin';

export interface ExportOptions {
  questions: string;
  publicDir: string;
  graderDir: string;
  output: string;
  caseIds: CaseIds;
  allowUnpinned: boolean;
}

/**
 * Splits a release: prompts in both orders for whoever runs models, references for the grader, each in a new
 * directory of its own, and a receipt that binds the two by their hashes.
 */
export async function exportRelease(options: ExportOptions): Promise<ExportReceipt> {
  const places = {
    '--public-dir': await newPlace('--public-dir', options.publicDir),
    '--grader-dir': await newPlace('--grader-dir', options.graderDir),
    '--output': await newPlace('--output', options.output),
  };
  refuseNested(places);
  const questions = await readInput('questions', options.questions);
  const pin = pinRelease({ questions: questions.hash, aggregates: null }, options.allowUnpinned);
  const { cases } = readQuestions(questions.bytes);
  const files = splitRelease(cases, pin.revision, options.caseIds);
  const directories: NewDirectory[] = [
    { option: '--public-dir', place: places['--public-dir'], ...PUBLIC_MODES, files: files.public },
    { option: '--grader-dir', place: places['--grader-dir'], ...GRADER_MODES, files: files.grader },
  ];
  const receipt: ExportReceipt = {
    format: 1,
    kind: 'scipivot_export_receipt',
    pin,
    ...SCIPIVOT_LIMITS,
    deterministic: true,
    seeds: [],
    settings: { case_ids: options.caseIds, allow_unpinned: options.allowUnpinned },
    inputs: { questions: questions.hash },
    prompt_template: {
      name: OPTIONS_ONLY_PROMPT.name,
      version: OPTIONS_ONLY_PROMPT.version,
      sha256: promptTemplateHash(OPTIONS_ONLY_PROMPT),
    },
    n_cases: cases.length,
    n_prompts: cases.length * 2,
    public: { files: hashes(files.public) },
    grader: { directory_mode: '0700', file_mode: '0600', files: hashes(files.grader) },
    does_not_show: DOES_NOT_SHOW,
  };
  const text = `${JSON.stringify(receipt, null, 2)}\n`;
  await publish(directories, { option: '--output', place: places['--output'], text });
  return receipt;
}

export interface ExportReceipt {
  n_cases: number;
  n_prompts: number;
  pin: { status: string };
  [field: string]: unknown;
}

const PUBLIC_MODES = { mode: 0o755, fileMode: 0o644, parentMode: 0o777 };
const GRADER_MODES = { mode: 0o700, fileMode: 0o600, parentMode: 0o700 };

const DOES_NOT_SHOW = [
  'No model was run; the public directory has not been mounted anywhere.',
  'Whether the two texts of a case give the label away by their wording is not examined: they are copied as they are.',
  'Whether a model has read the release before: its labels are public.',
];

type File = NewDirectory['files'][number];

function splitRelease(
  cases: readonly SourceCase[],
  revision: string,
  caseIds: CaseIds,
): { public: File[]; grader: File[] } {
  const split = cases.map((source) => ({ source, known: publicUnderId(source, caseIds) }));
  const references = split.map(({ source, known }) => ({ caseId: known.id, label: source.label }));
  const sourceIds = split
    .map(({ source, known }) => ({ case_id: known.id, source_id: source.id }))
    .sort((a, b) => compareCaseIds(a.case_id, b.case_id));
  const prompts = sessionPrompts(
    split.map(({ known }) => known),
    OPTIONS_ONLY_PROMPT,
  );
  return {
    public: [{ name: 'prompts.jsonl', text: writePrompts(prompts) }],
    grader: [
      { name: 'references.json', text: writeReferences({ revision, references }) },
      { name: 'case-ids.json', text: `${JSON.stringify({ format: 1, case_ids: sourceIds }, null, 2)}\n` },
    ],
  };
}

function hashes(files: readonly File[]): Record<string, { sha256: string; bytes: number }> {
  return Object.fromEntries(
    files.map(({ name, text }) => [name, { sha256: sha256Of(text), bytes: Buffer.byteLength(text) }]),
  );
}
