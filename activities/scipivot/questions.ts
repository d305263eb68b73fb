import { isJsonObject } from '../../core/json-object';
import { isLetter } from '../../core/scipivot/answer';
import type { Letter, SourceCase } from '../../core/scipivot/public-case';
import { type JsonDocument, readDocument } from './json-document';
import {
  fieldsLeftBehind,
  type OptionsShape,
  optionsShapeOf,
  readOptions,
  readText,
  type Tell,
} from './question-options';
import { ProblemList, pathText } from './refusal';

/**
 * The assumption about the released `questions.json`, which was not at hand: a JSON array of cases, or an
 * object with one under a name below; in each case an id, two option texts and the label of the better one,
 * all under the names the first case uses. Whatever else a case holds is read over.
 */
const LIST_FIELDS = ['questions', 'cases', 'items', 'data'];
const ID_FIELDS = ['id', 'case_id', 'question_id', 'qid'];
const LABEL_FIELDS = ['label', 'answer', 'reference', 'gold', 'correct', 'correct_option', 'correct_answer'];

/** How a file was read, for the outputs. */
export interface QuestionsShape {
  /** null: the file is the array itself. */
  list: string | null;
  id: string;
  options: string;
  label: string;
  /** Names of the fields that were read over, and so can reach no output. */
  leftBehind: string[];
}

export interface Questions {
  cases: SourceCase[];
  shape: QuestionsShape;
}

/**
 * Reads a release's questions, references included: for trusted ingestion only.
 * @throws FileRefused with line, path and field wherever a case differs from the first one's shape, repeats an
 *   id or a pair of options, or has no two different, non-empty options
 */
export function readQuestions(bytes: Uint8Array): Questions {
  const document = readDocument('questions', bytes);
  const problems = new ProblemList('questions');
  const tell = teller(document, problems);
  const { list, path, entries } = findList(document.value, tell);
  problems.throwIfAny();
  const fields = fieldsOfFirst(entries[0], [...path, 0], tell);
  problems.throwIfAny();
  const { id, label, options } = fields!;
  const cases = entries.flatMap(
    (entry, i) => readCase(entry, [...path, i], { id, label, options }, tell) ?? [],
  );
  tellRepeats(cases, path, tell);
  problems.throwIfAny();
  const used = [id, ...label, ...options.fields];
  return {
    cases,
    shape: { list, id, options: options.text, label: label[0]!, leftBehind: fieldsLeftBehind(entries, used) },
  };
}

type Path = readonly (string | number)[];

function teller(document: JsonDocument, problems: ProblemList): Tell {
  return (path, rule) => problems.add(`line ${document.lineOf(path)}: ${pathText(path)}: ${rule}`);
}

function findList(value: unknown, tell: Tell): { list: string | null; path: Path; entries: unknown[] } {
  const none = { list: null, path: [], entries: [] };
  const isList = Array.isArray(value);
  const names = isJsonObject(value) ? LIST_FIELDS.filter((name) => Array.isArray(value[name])) : [];
  const entries: unknown = isList
    ? value
    : isJsonObject(value) && names.length === 1
      ? value[names[0]!]
      : null;
  if (!Array.isArray(entries)) {
    tell([], `an array of cases, or an object with one under exactly one of ${LIST_FIELDS.join(', ')}`);
    return none;
  }
  const path = isList ? [] : [names[0]!];
  if (entries.length === 0) tell(path, 'at least one case');
  return { list: isList ? null : names[0]!, path, entries };
}

interface CaseFields {
  id: string;
  /** More than one where several fields of the first case hold a letter: then all must agree in every case. */
  label: string[];
  options: OptionsShape;
}

function fieldsOfFirst(entry: unknown, path: Path, tell: Tell): CaseFields | null {
  if (!isJsonObject(entry)) {
    tell(path, 'an object');
    return null;
  }
  const id = ID_FIELDS.find((name) => Object.hasOwn(entry, name));
  const label = LABEL_FIELDS.filter((name) => Object.hasOwn(entry, name) && isLetter(entry[name]));
  const options = optionsShapeOf(entry);
  if (id === undefined) tell(path, `an id under one of ${ID_FIELDS.join(', ')}`);
  if (label.length === 0) tell(path, `the label, "A" or "B", under one of ${LABEL_FIELDS.join(', ')}`);
  if (options === null)
    tell(path, 'two options: option_a and option_b, or options as an object or array of two');
  return id === undefined || label.length === 0 || options === null ? null : { id, label, options };
}

function readCase(entry: unknown, path: Path, fields: CaseFields, tell: Tell): SourceCase | null {
  if (!isJsonObject(entry)) {
    tell(path, 'an object');
    return null;
  }
  const id = readId(entry[fields.id], [...path, fields.id], tell);
  const label = readLabel(entry, fields.label, path, tell);
  const options = readOptions(entry, fields.options, path, tell);
  if (options !== null && options.optionA === options.optionB) tell(path, 'two different options');
  return id === null || label === null || options === null ? null : { id, ...options, label };
}

function readId(value: unknown, path: Path, tell: Tell): string | null {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value);
  const id = readText(value, path, tell);
  if (id !== null && id.length > 256) tell(path, 'at most 256 characters');
  return id;
}

function readLabel(
  entry: Record<string, unknown>,
  names: readonly string[],
  path: Path,
  tell: Tell,
): Letter | null {
  const labels = names.map((name) => {
    const value = entry[name];
    if (!isLetter(value)) tell([...path, name], 'exactly "A" or "B", as in the first case');
    return value;
  });
  const [label] = labels;
  if (new Set(labels).size > 1) tell(path, `${names.join(', ')}: the same letter in all of them`);
  return isLetter(label) ? label : null;
}

function tellRepeats(cases: readonly SourceCase[], path: Path, tell: Tell): void {
  const ids = new Map<string, number>();
  const texts = new Map<string, number>();
  for (const [i, { id, optionA, optionB }] of cases.entries()) {
    const text = JSON.stringify([optionA, optionB].sort());
    if (ids.has(id)) tell([...path, i], `an id of its own, not that of case ${ids.get(id)! + 1}`);
    if (texts.has(text)) tell([...path, i], `options of its own, not those of case ${texts.get(text)! + 1}`);
    ids.set(id, i);
    texts.set(text, i);
  }
}
