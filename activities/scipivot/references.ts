import { z } from 'zod';
import { compareCaseIds } from '../../core/scipivot/case-order';
import type { Reference } from '../../core/scipivot/public-case';
import { readDocument } from './json-document';
import { ProblemList, pathText } from './refusal';

/** The longest line a file of references or predictions may have, in bytes without its line end. */
export const LONGEST_LINE_BYTES = 1_000_000;

export const caseIdSchema = z.string().min(1).max(256);

const referencesSchema = z.strictObject({
  format: z.literal(1),
  revision: z.string().min(1).max(256),
  references: z.array(z.strictObject({ case_id: caseIdSchema, label: z.enum(['A', 'B']) })).min(1),
});

export interface References {
  /** As the file states it: nothing here can check it. */
  revision: string;
  references: Reference[];
}

/**
 * Reads a grader's references: `{"format":1,"revision":…,"references":[{"case_id","label":"A"|"B"}]}`.
 * @throws FileRefused, with lines, for anything else: unknown or repeated keys, a case named twice
 */
export function readReferences(bytes: Uint8Array): References {
  const problems = new ProblemList('references');
  for (const line of overlongLines(bytes)) problems.add(`line ${line}: over ${LONGEST_LINE_BYTES} bytes`);
  problems.throwIfAny();
  const document = readDocument('references', bytes);
  const parsed = referencesSchema.safeParse(document.value);
  if (!parsed.success) {
    for (const { path, message } of parsed.error.issues) {
      const place = path.map((step) => (typeof step === 'symbol' ? step.toString() : step));
      problems.add(`line ${document.lineOf(place)}: ${pathText(place)}: ${message}`);
    }
    problems.throwIfAny();
  }
  const { revision, references } = parsed.data!;
  const seen = new Set<string>();
  for (const [i, { case_id }] of references.entries()) {
    if (seen.has(case_id)) {
      const line = document.lineOf(['references', i, 'case_id']);
      problems.add(`line ${line}: references[${i}].case_id: a case named before: ${JSON.stringify(case_id)}`);
    }
    seen.add(case_id);
  }
  problems.throwIfAny();
  return { revision, references: references.map(({ case_id, label }) => ({ caseId: case_id, label })) };
}

/** The one text for the same references: ordered by case id, a case a line. */
export function writeReferences({ revision, references }: References): string {
  const sorted = [...references].sort((a, b) => compareCaseIds(a.caseId, b.caseId));
  const lines = sorted.map(({ caseId, label }) => `    ${JSON.stringify({ case_id: caseId, label })}`);
  return `{\n  "format": 1,\n  "revision": ${JSON.stringify(revision)},\n  "references": [\n${lines.join(',\n')}\n  ]\n}\n`;
}

function overlongLines(bytes: Uint8Array): number[] {
  const overlong: number[] = [];
  let line = 1;
  for (let start = 0; start < bytes.length; line++) {
    const newline = bytes.indexOf(0x0a, start);
    const end = newline === -1 ? bytes.length : newline;
    if (end - start > LONGEST_LINE_BYTES) overlong.push(line);
    start = end + 1;
  }
  return overlong;
}
