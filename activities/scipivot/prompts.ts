import { createHash } from 'node:crypto';
import { z } from 'zod';
import { ORDERS, type Order } from '../../core/ids';
import { compareCaseIds } from '../../core/scipivot/case-order';
import { type PublicCase, publicCase, shownOptions } from '../../core/scipivot/public-case';
import type { Prompt } from '../../presets/prompt';
import { renderPrompt } from '../../presets/prompt';
import optionsOnlyPrompt from '../../presets/scipivot/options-only-prompt.json';
import { readJson } from '../strict-json';
import { decodeUtf8 } from './json-document';
import { caseIdSchema } from './references';
import { ProblemList, pathText } from './refusal';

/** The words around the two options: ours, not the released ones. */
export const OPTIONS_ONLY_PROMPT: Prompt = optionsOnlyPrompt;

/** What tells one set of words from another: of the template, not of any prompt made with it. */
export function promptTemplateHash({ system, user }: Prompt): string {
  return createHash('sha256').update(JSON.stringify({ system, user })).digest('hex');
}

/** One session's prompt, all of it public. */
export interface SessionPrompt {
  caseId: string;
  order: Order;
  prompt: string;
}

/**
 * An id made from the two public texts alone, so it can tell nothing that they do not: a release's own id may
 * carry a project, a date, a place in a list, or the label itself.
 */
export function opaqueCaseId({ optionA, optionB }: PublicCase): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([optionA, optionB]))
    .digest('hex');
  return `case-${digest.slice(0, 16)}`;
}

/** Both orders of every case, ordered by case id and then ab, ba; made from the public parts alone. */
export function sessionPrompts(cases: readonly PublicCase[], template: Prompt): SessionPrompt[] {
  return [...cases]
    .sort((a, b) => compareCaseIds(a.id, b.id))
    .flatMap((known) =>
      ORDERS.map((order) => {
        // A session of prompts.jsonl is one text.
        const { system, user } = renderPrompt(template, shownOptions(known, order));
        return { caseId: known.id, order, prompt: system === '' ? user : `${system}\n\n${user}` };
      }),
    );
}

/** One JSON object a line: `{"case_id","order","prompt"}`. */
export function writePrompts(prompts: readonly SessionPrompt[]): string {
  return prompts
    .map(({ caseId, order, prompt }) => `${JSON.stringify({ case_id: caseId, order, prompt })}\n`)
    .join('');
}

const promptSchema = z.strictObject({
  case_id: caseIdSchema,
  order: z.enum(['ab', 'ba']),
  prompt: z.string().min(1),
});

/**
 * Reads what `writePrompts` wrote.
 * @throws FileRefused, with lines, for anything else, a session twice, or a case without one of its orders
 */
export function readPrompts(bytes: Uint8Array): SessionPrompt[] {
  const problems = new ProblemList('prompts');
  const prompts = new Map<string, SessionPrompt & { line: number }>();
  const lines = decodeUtf8('prompts', bytes).split('\n');
  if (lines.at(-1) === '') lines.pop();
  if (lines.length === 0) problems.add('line 1: at least one case');
  for (const [i, text] of lines.entries()) {
    const reading = readJson(text);
    const parsed = reading.kind === 'value' ? promptSchema.safeParse(reading.value) : null;
    if (!parsed?.success) {
      const issue = parsed?.error.issues[0];
      const rule = issue ? `${pathText(issue.path as (string | number)[])}: ${issue.message}` : reading.kind;
      problems.add(`line ${i + 1}: ${rule}`);
      continue;
    }
    const { case_id: caseId, order, prompt } = parsed.data;
    const session = sessionName(caseId, order);
    const before = prompts.get(session);
    if (before) problems.add(`line ${i + 1}: ${session}: stands on line ${before.line} already`);
    else prompts.set(session, { caseId, order, prompt, line: i + 1 });
  }
  for (const { caseId, order, line } of prompts.values()) {
    const other = order === 'ab' ? 'ba' : 'ab';
    if (!prompts.has(sessionName(caseId, other))) problems.add(`line ${line}: ${caseId}: no order ${other}`);
  }
  problems.throwIfAny();
  return [...prompts.values()].map(({ caseId, order, prompt }) => ({ caseId, order, prompt }));
}

function sessionName(caseId: string, order: Order): string {
  return JSON.stringify([caseId, order]);
}

/** A case's public part under the id it is to go by. */
export function publicUnderId(known: PublicCase, ids: CaseIds): PublicCase {
  return publicCase(ids === 'opaque' ? opaqueCaseId(known) : known.id, known);
}

/** Which ids leave the grader's side: ours made from the texts, or the release's own. */
export type CaseIds = 'opaque' | 'source';
