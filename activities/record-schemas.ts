import { z } from 'zod';
import type { RubricMark } from '../core/evaluation/rubric';
import type { HypothesisRecord } from '../core/hypothesis';
import type { ToolSpec } from './providers/provider';

/**
 * The tools whose arguments are the product: what a model must hand in, and the check of what it handed in. One zod
 * schema serves both, so what is asked for and what is checked cannot differ.
 */

const text = (description: string) => z.string().trim().min(1).describe(description);

const hypothesisSchema = z.object({
  title: text('One line that names the idea.'),
  summary: text('The idea in two to four sentences.'),
  full_text: text('The whole argument: background, rationale, what follows from it.'),
  mechanism: text('How it works, step by step.'),
  entities: z.array(text('One name.')).min(1).describe('Compounds, genes, pathways it stands or falls with.'),
  citations: z
    .array(
      z.object({
        url: text('Address of the source.'),
        title: text('Its title.'),
        excerpt: text('The words of the source that support the idea.'),
      }),
    )
    .describe('Sources that were read; empty when none were.'),
  falsification: text('One experiment whose outcome could prove the idea wrong.'),
});

const reviewSchema = z.object({
  strengths: z.array(text('One strength.')).describe('What speaks for the hypothesis.'),
  weaknesses: z.array(text('One weakness.')).describe('What speaks against it.'),
  assessment: text('A fair judgement of novelty, plausibility and testability, in a few sentences.'),
});

const score = (position: string) => z.int().min(1).max(5).describe(`1 (poor) to 5 (excellent), ${position}.`);

const verdictSchema = z.object({
  rationale: text('Why, in a few sentences, about both hypotheses.'),
  scores: z
    .array(
      z.object({
        criterion: z.enum(['novelty', 'plausibility', 'testability', 'relevance']),
        first: score('the first hypothesis'),
        second: score('the second hypothesis'),
      }),
    )
    .describe('One entry a criterion.'),
  winner: z.enum(['first', 'second', 'tie']).describe('The better hypothesis for the goal.'),
});

const argumentSchema = z.object({
  argument: text('Your argument, in at most two paragraphs.'),
});

/** A rubric's tool: a mark for each of its criteria, none twice; what cannot be said is left out. */
function rubricSchema(criteria: readonly string[]) {
  const mark = z.object({
    criterion: z.enum(criteria as [string, ...string[]]),
    score: z.int().min(1).max(5).describe('1 (poor) to 5 (excellent).'),
    reason: text('One sentence: what in the text decided it.'),
  });
  return z.object({
    scores: z
      .array(mark)
      .superRefine((marks, context) => {
        const names = marks.map(({ criterion }) => criterion);
        const twice = names.find((name, i) => names.indexOf(name) < i);
        if (twice) context.addIssue({ code: 'custom', message: `${twice} is scored twice` });
      })
      .describe('One entry a criterion that can be scored.'),
  });
}

export type ReviewRecord = z.infer<typeof reviewSchema>;
export type VerdictRecord = z.infer<typeof verdictSchema>;
export type ArgumentRecord = z.infer<typeof argumentSchema>;

/** A record, or what is wrong with it, field by field and without its text. */
export type Checked<T> = { record: T } | { problems: string[] };

export const RECORD_HYPOTHESIS = tool('record_hypothesis', 'Hand in your hypothesis.', hypothesisSchema);
export const RECORD_REVIEW = tool('record_review', 'Hand in your review.', reviewSchema);
export const RECORD_VERDICT = tool('record_verdict', 'Hand in your verdict.', verdictSchema);
export const RECORD_ARGUMENT = tool('record_argument', 'Hand in your argument.', argumentSchema);

export function recordRubricScore(criteria: readonly string[]): ToolSpec {
  return tool('record_rubric_score', 'Hand in your scores.', rubricSchema(criteria));
}

export function checkRubricScore(
  criteria: readonly string[],
): (value: unknown) => Checked<{ scores: RubricMark[] }> {
  const schema = rubricSchema(criteria);
  return (value) => check(schema, value);
}

export function checkHypothesis(value: unknown): Checked<HypothesisRecord> {
  const checked = check(hypothesisSchema, value);
  if ('problems' in checked) return checked;
  const { full_text: fullText, ...rest } = checked.record;
  return { record: { ...rest, fullText } };
}

export function checkReview(value: unknown): Checked<ReviewRecord> {
  return check(reviewSchema, value);
}

export function checkVerdict(value: unknown): Checked<VerdictRecord> {
  return check(verdictSchema, value);
}

export function checkArgument(value: unknown): Checked<ArgumentRecord> {
  return check(argumentSchema, value);
}

function check<T>(schema: z.ZodType<T>, value: unknown): Checked<T> {
  const result = schema.safeParse(value);
  if (result.success) return { record: result.data };
  const { issues } = result.error;
  const told = issues.slice(0, MOST_TOLD).map(({ path, message }) => `${formatPath(path)}: ${message}`);
  const left = issues.length - told.length;
  return { problems: left > 0 ? [...told, `and ${left} more of the kind`] : told };
}

/**
 * Of one record. A model that stutters fills a list with thousands of empty names; told one by one, they would make the
 * repair many times as dear as the answer that they are about.
 */
const MOST_TOLD = 20;

function formatPath(path: readonly PropertyKey[]): string {
  if (path.length === 0) return 'arguments';
  return path
    .map((part, i) => (typeof part === 'number' ? `[${part}]` : `${i ? '.' : ''}${String(part)}`))
    .join('');
}

function tool(name: string, description: string, schema: z.ZodType): ToolSpec {
  const { $schema: _, ...inputSchema } = z.toJSONSchema(schema, { io: 'input' });
  return { name, description, inputSchema };
}
