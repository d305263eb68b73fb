import { z } from 'zod';
import type { CanonicalRequest } from '../../db/literature-cache';
import { SourceFailure } from './failure';
import { type Findings, tidyFindings } from './findings';
import type { LiteratureContext, LiteratureSource, ToolAnswer } from './source';
import { answerFailure, answerFindings, type DocumentView } from './tool-answer';

/** What makes one tool differ from another. */
export interface ToolDefinition<Args> {
  name: string;
  description: string;
  /** An object; its descriptions are what the model reads. */
  schema: z.ZodType<Args>;
  /** Raised when the same bytes would be read into other findings: older cached ones are then not used. */
  readingVersion: number;
  /** What is asked, the same for every spelling of the same question; what only changes the view is left out. */
  question(args: Args): Record<string, unknown>;
  ask(args: Args, context: LiteratureContext): Promise<Findings>;
  view(args: Args): DocumentView;
  /** @throws SourceFailure when the arguments alone are reason enough */
  refuse?(args: Args, context: LiteratureContext): void;
  /** Answers come from elsewhere than a network: neither cached nor counted. */
  isOffline?: boolean;
  /** All waiting, asking and reading of one call; by default 27 s, below the 30 s that a tool call may take. */
  deadlineMs?: number;
}

/** A tool that checks its arguments, answers from the cache where it can, and turns failures into answers. */
export function literatureTool<Args>(definition: ToolDefinition<Args>): LiteratureSource {
  return {
    tool: {
      name: definition.name,
      description: definition.description,
      inputSchema: inputSchema(definition.schema),
    },
    run: (args, context) => run(definition, args, context),
  };
}

const DEADLINE_MS = 27_000;
const CACHE_TTL_MS = 7 * 24 * 3_600_000;

async function run<Args>(
  definition: ToolDefinition<Args>,
  rawArgs: unknown,
  caller: LiteratureContext,
): Promise<ToolAnswer> {
  const deadline = AbortSignal.timeout(definition.deadlineMs ?? DEADLINE_MS);
  const context = { ...caller, signal: AbortSignal.any([caller.signal, deadline]) };
  try {
    caller.signal.throwIfAborted();
    const args = readArguments(definition.schema, rawArgs);
    definition.refuse?.(args, context);
    const { findings, cached } = await findOrAsk(definition, args, context);
    return answerFindings(definition.name, findings, {
      view: definition.view(args),
      withheld: caller.withheld,
      cached,
    });
  } catch (error) {
    caller.signal.throwIfAborted();
    if (error instanceof SourceFailure) return answerFailure(definition.name, error);
    if (deadline.aborted)
      return answerFailure(definition.name, new SourceFailure('timeout', 'It took too long in all.'));
    throw error;
  }
}

async function findOrAsk<Args>(
  definition: ToolDefinition<Args>,
  args: Args,
  context: LiteratureContext,
): Promise<{ findings: Findings; cached: boolean }> {
  if (definition.isOffline)
    return { findings: tidyFindings(await definition.ask(args, context)), cached: false };
  const question: CanonicalRequest = {
    tool: definition.name,
    request: { ...definition.question(args), readingVersion: definition.readingVersion },
  };
  const known = await context.cache.get(question);
  if (known !== null) return { findings: known as Findings, cached: true };
  context.signal.throwIfAborted();
  const findings = tidyFindings(await definition.ask(args, context));
  // Another candidate may have asked the same meanwhile: then its answer stands for both.
  return { findings: (await context.cache.put(question, findings, CACHE_TTL_MS)) as Findings, cached: false };
}

/** @throws SourceFailure with every problem of the arguments */
function readArguments<Args>(schema: z.ZodType<Args>, rawArgs: unknown): Args {
  const result = schema.safeParse(rawArgs);
  if (result.success) return result.data;
  const problems = result.error.issues.slice(0, 10).map((issue) => {
    const place = issue.path.length > 0 ? issue.path.map(String).join('.') : 'arguments';
    return `${place}: ${issue.message}`;
  });
  // A message may repeat a name that the model made up, so it is quoted too.
  throw new SourceFailure('bad_arguments', null, { quoted: problems.join('; ') });
}

function inputSchema(schema: z.ZodType): Record<string, unknown> {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: 'input' });
  return rest;
}
