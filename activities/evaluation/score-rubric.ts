import type { BenchPlan, PlannedModel } from '../../core/bench-plan';
import { BrokenInvariant } from '../../core/broken-invariant';
import type { EvalAgent } from '../../core/evaluation/eval-check';
import type { Rubric } from '../../core/evaluation/rubric';
import { rubricKey, rubricScope } from '../../core/ids';
import { formatModelRef } from '../../core/model-ref';
import { OUTPUT_CAPS } from '../../core/output-caps';
import { readOwnedBench } from '../../db/benches';
import type { Database } from '../../db/database';
import { readRecordedBench, readSnapshot } from '../../db/export-reads';
import { readSlot } from '../../db/hypotheses';
import { readJudgedMatch } from '../../db/judged-match';
import { readFirstVerdict, readReview, readRubricState, saveRubricScore } from '../../db/rubric-scores';
import { findRubric } from '../../presets';
import { type Prompt, renderPrompt } from '../../presets/prompt';
import type { ActivityDeps, BenchRef } from '../activity-deps';
import { readForcedRecord } from '../forced-record';
import { writeHypothesisText, writeReviewText } from '../hypothesis-text';
import { paidCall } from '../paid-call';
import type { CompletionRequest } from '../providers/provider';
import { checkRubricScore, type ReviewRecord, recordRubricScore } from '../record-schemas';
import { textsOf } from '../verdict-request';
import { reportMarkdown } from './figures';
import type { RubricWork } from './open-rubric';

export interface ScoreRubricInput extends BenchRef, RubricWork {
  judge: PlannedModel;
}

/** One piece of work, marked by a judge by its agent's rubric. Marks that cannot be had are kept as that. */
export function createScoreRubric(deps: ActivityDeps) {
  return async function scoreRubric(input: ScoreRubricInput): Promise<'valid' | 'invalid'> {
    const { benchId, epoch, agent, subject, judge } = input;
    const { plan } = await readOwnedBench(deps.db, input);
    const rubric = findRubric(agent);
    const judgeRef = formatModelRef(judge);
    const place = { agent, version: rubric.version, judge: judgeRef, subject };
    const key = rubricKey(benchId, place);
    // What is scored stays so, also where its material reads otherwise by now, as a report does that has a rescore more.
    const stored = await readRubricState(deps.db, benchId, place);
    if (stored !== null) return stored;
    const names = rubric.criteria.map(({ name }) => name);
    const answer = await paidCall(deps, {
      ...{ benchId, epoch, key, kind: 'rubric', model: judge, scopeIds: [rubricScope(benchId)] },
      request: {
        ...(await buildRequest(deps.db, plan, input, rubric)),
        draw: { seed: plan.seed, key: key.slice(benchId.length + 1) },
      },
    });
    const forced = readForcedRecord(answer, checkRubricScore(names));
    const score = {
      ...place,
      outcome: forced.state === 'valid' ? { state: forced.state, marks: forced.record.scores } : forced,
    };
    await saveRubricScore(deps.db, input, score, key);
    return forced.state;
  };
}

async function buildRequest(
  db: Database,
  plan: BenchPlan,
  { agent, subject, judge }: ScoreRubricInput,
  rubric: Rubric & Prompt,
): Promise<Omit<CompletionRequest, 'draw'>> {
  const tool = recordRubricScore(rubric.criteria.map(({ name }) => name));
  const criteria = rubric.criteria.map(({ name, question }) => `- ${name}: ${question}`).join('\n');
  const { system, user } = renderPrompt(rubric, {
    ...{ goal: plan.goal, criteria },
    ...(await MATERIALS[agent](db, subject, plan)),
  });
  return {
    model: judge.model,
    system,
    turns: [{ role: 'user', text: user }],
    tools: [tool],
    toolChoice: { kind: 'force', tool: tool.name },
    maxOutputTokens: OUTPUT_CAPS.rubric,
    thinking: 'off',
  };
}

/** What a judge is shown of an agent's work, by the placeholders of its rubric. */
const MATERIALS: Record<
  EvalAgent,
  (db: Database, subject: string, plan: BenchPlan) => Promise<Record<string, string>>
> = {
  generation: async (db, id) => ({ hypothesis: await hypothesisText(db, id) }),
  reflection: async (db, id) => ({
    hypothesis: await hypothesisText(db, id),
    review: writeReviewText(((await readReview(db, id)) ?? undefined) as ReviewRecord | undefined),
  }),
  ranking: verdictMaterial,
  overview: async (db, id) => {
    const bench = await readSnapshot(db, (snapshot) => readRecordedBench(snapshot, id));
    // Without what judges have said of it: each would be led by the one before, and the same report is asked about again.
    return { report: cutReport(reportMarkdown({ ...bench, rubric: null })) };
  },
};

async function hypothesisText(db: Database, id: string): Promise<string> {
  const { record } = await readSlot(db, id);
  if (!record) throw new BrokenInvariant(`${id}: has no record to be scored`);
  return writeHypothesisText(record);
}

async function verdictMaterial(
  db: Database,
  matchId: string,
  plan: BenchPlan,
): Promise<Record<string, string>> {
  const [judged, verdict] = await Promise.all([readJudgedMatch(db, matchId), readFirstVerdict(db, matchId)]);
  if (!verdict) throw new BrokenInvariant(`${matchId}: was played without a valid verdict`);
  const marks = (verdict.scores ?? []).map(
    (score) => `- ${score.criterion}: first ${score.first}, second ${score.second}`,
  );
  return {
    // All of both, whatever part the verdict's own judge was shown.
    ...textsOf({ plan: { ...plan, judgeView: 'full' }, judged, order: verdict.order }),
    verdict: [`Winner: ${verdict.winner}`, `Rationale: ${verdict.rationale}`, 'Marks:', ...marks].join('\n'),
  };
}

/** UTF-16 units of a report that a judge is shown: of a large bench it begins with all that matters. */
const MOST_OF_A_REPORT = 60_000;

function cutReport(text: string): string {
  if (text.length <= MOST_OF_A_REPORT) return text;
  return `${text.slice(0, MOST_OF_A_REPORT).toWellFormed()}\n\n(cut here: the first ${MOST_OF_A_REPORT} of ${text.length} characters)`;
}
