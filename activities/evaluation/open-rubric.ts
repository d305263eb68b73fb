import { ApplicationFailure } from '@temporalio/common';
import { z } from 'zod';
import type { BenchPlan, PlannedModel } from '../../core/bench-plan';
import { hasEnded } from '../../core/bench-states';
import { calledModels } from '../../core/called-models';
import { EVAL_AGENTS, type EvalAgent } from '../../core/evaluation/eval-check';
import { MOST_OF_AN_AGENT } from '../../core/evaluation/rubric';
import { formatModelRef, parseModelRef } from '../../core/model-ref';
import { MAX_USD_PER_MTOK, readModel } from '../../core/planned-models';
import { declaredPrice, findPrice, type ModelPrice } from '../../core/prices';
import { randomFrom } from '../../core/random';
import { findBench } from '../../db/benches';
import { capRubric } from '../../db/ledger';
import { readRubricSubjects } from '../../db/rubric-scores';
import { catalogue } from '../../presets';
import type { ActivityDeps, BenchRef } from '../activity-deps';
import { isKnownProvider, KNOWN_PROVIDERS } from '../providers';

/** What somebody asks to have scored. */
export interface RubricRequest {
  benchId: string;
  /** `provider:model` */
  judge: string;
  agents: EvalAgent[];
  /** Pieces of work of each agent, at most; drawn with the bench's seed. */
  sample: number;
  /** Of all rubric scores of this bench together. */
  capUsd: number;
  /** Scores that may be in flight at once; left out: 10. */
  maxInFlight?: number | undefined;
  /** Of the judge, in USD per million tokens; left out: as the bench or the price table has it. */
  price?: { inputUsdPerMTok: number; outputUsdPerMTok: number } | undefined;
}

/** What the workflow needs of it: ids, a model and its price, no texts. */
export interface RubricHandle extends BenchRef {
  judge: PlannedModel;
  heartbeatMs: number;
  /** Left out: as the workflow has it. */
  maxInFlight?: number | undefined;
  work: RubricWork[];
}

export interface RubricWork {
  agent: EvalAgent;
  /** Id of a hypothesis, a match or the bench. */
  subject: string;
}

const rate = z.number().nonnegative().max(MAX_USD_PER_MTOK);

const requestSchema = z.strictObject({
  benchId: z.string().min(1),
  judge: z.string(),
  agents: z.array(z.enum(EVAL_AGENTS)).min(1),
  sample: z.int().min(1).max(MOST_OF_AN_AGENT),
  capUsd: z.number().positive().max(1e6),
  maxInFlight: z.int().min(1).max(MOST_OF_AN_AGENT).optional(),
  price: z.strictObject({ inputUsdPerMTok: rate, outputUsdPerMTok: rate }).optional(),
});

/**
 * Checks what is to be scored, opens its budget and draws the sample: the same bench, agents and size give the same one.
 * @throws ApplicationFailure `InvalidRubric` (final) with everything that is wrong with it; then nothing is written
 */
export function createOpenRubric({ db, calls }: Pick<ActivityDeps, 'db' | 'calls'>) {
  return async function openRubric(asked: unknown): Promise<RubricHandle> {
    const parsed = requestSchema.safeParse(asked);
    if (!parsed.success) {
      throw invalid(parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`));
    }
    const request = parsed.data;
    const bench = await findBench(db, request.benchId);
    if (!bench) throw invalid([`bench ${request.benchId}: no such bench`]);
    const problems = hasEnded(bench.state)
      ? []
      : [`bench ${bench.id} is ${bench.state}: its work is scored when it has ended`];
    const judge = findJudge(request, bench.plan, problems);
    if (!judge || problems.length > 0) throw invalid(problems);
    await capRubric(db, bench.id, request.capUsd);
    const subjects = await readRubricSubjects(db, bench.id);
    return {
      ...{ benchId: bench.id, epoch: bench.epoch, judge, heartbeatMs: calls.leaseMs },
      ...(request.maxInFlight === undefined ? {} : { maxInFlight: request.maxInFlight }),
      work: request.agents.flatMap((agent) =>
        drawSample(bench.plan.seed, agent, subjects[agent], request.sample),
      ),
    };
  };
}

/** At the price that is given, or else that it had in the bench, or else by the table in force. */
function findJudge(
  { judge, price }: RubricRequest,
  plan: BenchPlan,
  problems: string[],
): PlannedModel | null {
  const declared: Record<string, ModelPrice> = Object.fromEntries(
    calledModels(plan).map((model) => [formatModelRef(model), model.price]),
  );
  const known = catalogue(KNOWN_PROVIDERS);
  const ref = parseModelRef(judge);
  if (price) declared[judge] = declaredPrice('value' in ref ? ref.value.provider : '', price);
  if ('value' in ref && isKnownProvider(ref.value.provider)) {
    const { provider, model } = ref.value;
    if (!Object.hasOwn(declared, judge) && !findPrice(known.priceTable, provider, model)) {
      problems.push(
        `judge: no price for ${judge} in the table of ${known.priceTable.asOf}, and no model of this bench is called so (add --price IN,OUT, as in --price 1.25,10: dollars per million tokens in and out, 0,0 where it costs nothing)`,
      );
      return null;
    }
  }
  return readModel(judge, 'judge', { catalogue: known, declared, problems });
}

function drawSample(seed: number, agent: EvalAgent, ids: readonly string[], size: number): RubricWork[] {
  const drawn = randomFrom(seed, 'rubric', agent).shuffle(ids).slice(0, size);
  return drawn.map((subject) => ({ agent, subject }));
}

function invalid(problems: string[]): ApplicationFailure {
  return ApplicationFailure.create({
    type: 'InvalidRubric',
    message: `this cannot be scored:\n- ${problems.join('\n- ')}`,
    nonRetryable: true,
    details: [problems],
  });
}
