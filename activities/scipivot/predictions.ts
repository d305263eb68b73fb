import { z } from 'zod';
import { type Prediction, ruleSession } from '../../core/scipivot/score';
import { readJson } from '../strict-json';
import { caseIdSchema, LONGEST_LINE_BYTES } from './references';
import { ProblemList, pathText } from './refusal';

/** A line of a file, without its line end. `bytes` is null for one over LONGEST_LINE_BYTES: it was not kept. */
export interface FileLine {
  /** From 1. */
  number: number;
  bytes: Uint8Array | null;
}

const identified = { case_id: caseIdSchema, order: z.enum(['ab', 'ba']) };

const predictionSchema = z.discriminatedUnion('status', [
  z.strictObject({ ...identified, status: z.literal('ok'), response: z.string() }),
  z.strictObject({
    ...identified,
    status: z.enum(['timeout', 'truncated', 'provider_error', 'refused']),
    response: z.string().nullish(),
  }),
]);

/**
 * Reads predictions, one JSON object a line: `{"case_id","order","status","response"}`. `response` may be
 * null or left out where the status is not `ok`. Each is ruled at once, so that no response is kept.
 *
 * @throws FileRefused, with lines, for a line that is over-long, empty, not UTF-8, not one JSON object of
 *   these fields, or has a key twice; for an unknown case; for a second line of a session
 */
export async function readPredictions(
  lines: AsyncIterable<FileLine>,
  caseIds: ReadonlySet<string>,
): Promise<Prediction[]> {
  const problems = new ProblemList('predictions');
  const predictions: Prediction[] = [];
  /** The line each session stands on. */
  const seen = new Map<string, number>();
  for await (const line of lines) {
    const read = readLine(line, caseIds);
    if ('rules' in read) {
      for (const rule of read.rules) problems.add(`line ${line.number}: ${rule}`);
      continue;
    }
    const { caseId, order } = read.prediction;
    const session = JSON.stringify([caseId, order]);
    const before = seen.get(session);
    if (before === undefined) {
      seen.set(session, line.number);
      predictions.push(read.prediction);
    } else {
      problems.add(
        `line ${line.number}: case ${JSON.stringify(caseId)}, order ${order}: stands on line ${before} already`,
      );
    }
  }
  problems.throwIfAny();
  return predictions;
}

function readLine(
  { number, bytes }: FileLine,
  caseIds: ReadonlySet<string>,
): { prediction: Prediction } | { rules: string[] } {
  if (bytes === null) return { rules: [`over ${LONGEST_LINE_BYTES} bytes`] };
  const text = decodeLine(bytes, number === 1);
  if (text === null) return { rules: ['not UTF-8'] };
  if (text.trim() === '') return { rules: ['empty'] };
  const reading = readJson(text);
  if (reading.kind === 'not_json') return { rules: ['not JSON'] };
  if (reading.kind === 'duplicate_key')
    return { rules: [`key ${JSON.stringify(reading.key)} stands twice in one object`] };
  const parsed = predictionSchema.safeParse(reading.value);
  if (!parsed.success) {
    return {
      rules: parsed.error.issues.map(
        ({ path, message }) => `${pathText(path as (string | number)[])}: ${message}`,
      ),
    };
  }
  const { case_id, order, status, response } = parsed.data;
  if (!caseIds.has(case_id)) return { rules: [`case_id: not in the references: ${JSON.stringify(case_id)}`] };
  return {
    prediction: ruleSession({ caseId: case_id, order, status, response: response ?? null }, readJson),
  };
}

/** null for what is not UTF-8. Only a file's first line may begin with a byte-order mark. */
function decodeLine(bytes: Uint8Array, isFirst: boolean): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: !isFirst }).decode(bytes);
  } catch {
    return null;
  }
}
