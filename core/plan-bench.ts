import type { BenchInput } from './bench-input';
import type { BenchPlan, Catalogue, PlannedModel, PlanResult } from './bench-plan';
import { formatModelRef } from './model-ref';
import { OUTPUT_CAPS } from './output-caps';
import { type PlannedModels, planModels } from './planned-models';
import {
  isScipivotAlone,
  type PlannedSettings,
  planSettings,
  scheduleProblems,
  settingProblems,
} from './planned-settings';
import { withPreset } from './preset-fields';
import { callBoundUsd } from './prices';
import { knownWords, quote } from './problem-text';
import { replicatesOf, slotsPerCandidate } from './replicates';
import { utf8Bytes } from './utf8';

const MAX_GOAL_CHARACTERS = 20_000;

/**
 * The plan of a bench, or every problem that keeps it from being one. Pure: the CLI's forecast and
 * `createBench` call it alike, and nothing has been spent when it refuses.
 */
export function planBench(input: BenchInput, catalogue: Catalogue): PlanResult {
  if (input.resume !== undefined || input.takeOver !== undefined) {
    return { problems: ['resume: a bench that is taken up again has its plan already'] };
  }
  const { fields: given, isPresetKnown, problems } = withPreset(input, catalogue);
  const fields = completeScipivotAlone(given);
  const settings = planSettings(fields);
  const models = planModels(fields, catalogue, isPresetKnown);
  const { goal, goldSet } = fields;
  if (goal === undefined && isPresetKnown)
    problems.push('goal: missing (give one, or a preset that has one)');
  if (goal !== undefined) problems.push(...goalProblems(goal));
  problems.push(
    ...models.problems,
    ...settingProblems(settings),
    ...scheduleProblems(settings, models.candidates.length),
    ...goldSetProblems(goldSet, catalogue),
    ...budgetProblems(goal ?? '', settings, models),
  );
  const selfJudging = selfJudgings(models);
  if (!settings.allowSelfJudging) {
    problems.push(
      ...selfJudging.map((it) => `${it} (name another judge, or allowSelfJudging to go on all the same)`),
    );
  }
  if (problems.length > 0 || goal === undefined) return { problems };
  const { candidates, judges, reviewer } = models;
  const plan: BenchPlan = {
    ...settings,
    preset: fields.preset ?? null,
    goal,
    candidates,
    judges,
    reviewer,
    goldSet: goldSet === undefined || goldSet === 'none' ? null : goldSet,
    priceTable: { name: catalogue.priceTable.name, asOf: catalogue.priceTable.asOf },
    isSimulated: [...candidates, ...judges, ...(reviewer ? [reviewer] : [])].some(
      (m) => m.provider === 'sim',
    ),
    prompts: promptsOf(settings, catalogue.prompts),
    notes: [...selfJudging],
  };
  plan.notes.push(...notesOf(plan));
  return { plan };
}

/** A bench of SciΠvot alone (n 0) needs no goal, no judge and no reviewer. */
function completeScipivotAlone(fields: BenchInput): BenchInput {
  if (fields.scipivot === undefined || fields.n !== 0) return fields;
  const goal = `SciΠvot, options only: data set ${fields.scipivot}`;
  return { goal, matches: 0, reviewer: 'none', ...fields };
}

function goalProblems(goal: string): string[] {
  if (goal.trim() === '') return ['goal: nothing but white space'];
  const problems: string[] = [];
  if (goal.length > MAX_GOAL_CHARACTERS) {
    problems.push(`goal: ${goal.length} characters long, at most ${MAX_GOAL_CHARACTERS}`);
  }
  if (/[\0\p{Cs}]/u.test(goal))
    problems.push('goal: holds a NUL or half of a surrogate pair, which no database keeps');
  return problems;
}

function goldSetProblems(goldSet: string | undefined, catalogue: Catalogue): string[] {
  const known = ['none', ...catalogue.goldSets];
  if (goldSet === undefined || known.includes(goldSet)) return [];
  return [`goldSet: unknown ${quote(goldSet)} (${knownWords(goldSet, known, catalogue.suggest)})`];
}

function selfJudgings({ candidates, judges }: PlannedModels): string[] {
  return judges.flatMap((judge) => {
    const name = formatModelRef(judge);
    const labels = candidates.filter((c) => formatModelRef(c) === name).map((c) => c.label);
    return labels.length > 0 ? [`judge: ${quote(name)} is also the candidate ${labels.join(', ')}`] : [];
  });
}

/** A cap under which not even the dearest single call fits; what a call holds is at least this much. */
function budgetProblems(goal: string, settings: PlannedSettings, models: PlannedModels): string[] {
  const goalBytes = utf8Bytes(goal).length;
  const boundOf = (model: PlannedModel, maxOutputTokens: number) => ({
    name: formatModelRef(model),
    usd: callBoundUsd(model.price, { requestBytes: goalBytes, maxOutputTokens, tokensPerByte: null }),
  });
  const isAlone = isScipivotAlone(settings);
  const sessionsOf = (asked: readonly PlannedModel[]) =>
    settings.scipivot === null ? [] : asked.map((model) => boundOf(model, OUTPUT_CAPS.scipivot));
  const generation = [
    ...(isAlone ? [] : models.candidates.map((c) => boundOf(c, settings.generation.maxOutputTokens))),
    ...sessionsOf(models.candidates),
  ];
  const judging = [
    ...(settings.matches > 0 ? models.judges.map((j) => boundOf(j, OUTPUT_CAPS.verdict)) : []),
    ...sessionsOf(models.judges),
  ];
  if (models.reviewer && !isAlone) judging.push(boundOf(models.reviewer, OUTPUT_CAPS.review));
  const { perCandidateUsd, judgeUsd, benchUsd } = settings.budgets;
  const scopes = [
    { field: 'budgetPerCandidateUsd', cap: perCandidateUsd, calls: generation },
    { field: 'judgeBudgetUsd', cap: judgeUsd, calls: judging },
    { field: 'budgetUsd', cap: benchUsd, calls: [...generation, ...judging] },
  ];
  return scopes.flatMap(({ field, cap, calls }) => {
    const dearest = calls.reduce((a, b) => (b.usd > a.usd ? b : a), { name: '', usd: 0 });
    return cap !== null && cap < dearest.usd
      ? [`${field}: $${cap} is below one call of ${dearest.name}, which holds at least $${dearest.usd}`]
      : [];
  });
}

/** Those that this way of judging does not use are left out: they make no bench another one. */
function promptsOf(
  { judgeView, verdictMode }: PlannedSettings,
  prompts: Readonly<Record<string, number>>,
): Record<string, number> {
  const unused = [
    judgeView === 'text' ? 'verdict' : 'verdict-text',
    ...(verdictMode === 'debate' ? [] : ['debate-argument', 'debate-record']),
  ];
  return Object.fromEntries(Object.entries(prompts).filter(([name]) => !unused.includes(name)));
}

function notesOf(plan: BenchPlan): string[] {
  const { matches, candidates, judges, reviewer } = plan;
  const notes = scipivotNotes(plan);
  if (replicatesOf(plan) > 1) {
    notes.push(`replicates ${replicatesOf(plan)}: each cap holds for all runs together`);
  }
  if (slotsPerCandidate(plan) === 1)
    notes.push('n = 1: no interval is possible, since one hypothesis says nothing of their spread');
  if (matches === 0 && !isScipivotAlone(plan))
    notes.push('matches = 0: no match is judged, so there is no rating');
  if (plan.judgeView === 'text' && reviewer && matches > 0)
    notes.push(
      'judgeView text: no judge reads the reviews that are paid for (reviewer none leaves them out)',
    );
  if (plan.orders === 'balanced' && matches % 2 === 1)
    notes.push(
      `orders balanced: with an odd number of matches one of each pair is shown first once more${replicatesOf(plan) > 1 ? ', in each run' : ''}`,
    );
  const models = [...candidates, ...judges, ...(reviewer ? [reviewer] : [])];
  const isFree = ({ price }: PlannedModel) =>
    price.source === 'declared' && price.inputUsdPerMTok === 0 && price.outputUsdPerMTok === 0;
  const reviewed = reviewer ? candidates.filter((c) => formatModelRef(c) === formatModelRef(reviewer)) : [];
  if (reviewed.length > 0)
    notes.push(`the reviewer is also the candidate ${reviewed.map((c) => c.label).join(', ')}`);
  const free = new Set(models.filter(isFree).map(formatModelRef));
  if (free.size > 0) notes.push(`declared free of charge, so no budget holds them: ${[...free].join(', ')}`);
  return notes;
}

function scipivotNotes({ scipivot, candidates }: BenchPlan): string[] {
  if (scipivot === null) return [];
  const sharing = new Map<string, string[]>();
  for (const candidate of candidates) {
    const name = formatModelRef(candidate);
    sharing.set(name, [...(sharing.get(name) ?? []), candidate.label]);
  }
  return [
    'scipivot: every session is charged to the cap of the candidate, or of the judge, that is asked',
    ...[...sharing]
      .filter(([, labels]) => labels.length > 1)
      .map(([name, labels]) => `scipivot: ${name} is asked ${labels.length} times, as ${labels.join(', ')}`),
  ];
}
