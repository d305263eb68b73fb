import type { ActivityDeps } from './activity-deps';
import { createArgueTurn } from './argue-turn';
import { createAskSession } from './ask-session';
import { createDropCandidate, createRaiseBudget } from './change-bench';
import { createCheckProvider } from './check-provider';
import { createCloseNight } from './close-night';
import { createCreateBench } from './create-bench';
import { createOpenRubric } from './evaluation/open-rubric';
import { createScoreRubric } from './evaluation/score-rubric';
import { createFinishBench } from './finish-bench';
import { createJudgeVerdict } from './judge-verdict';
import { createMarkDuplicates } from './mark-duplicates';
import { createOfferLiterature } from './offer-literature';
import { createOpenNight } from './open-night';
import { createReviewHypothesis } from './review-hypothesis';
import { createRunTool } from './run-tool';
import {
  createCheckScipivotWorker,
  createHoldSubject,
  createMarkSubject,
  createOpenScipivot,
  createReadOpenSessions,
} from './scipivot-rows';
import {
  createAcceptDraft,
  createCloseCandidate,
  createEndSlots,
  createMarkBench,
  createMarkCandidate,
  createMarkHold,
  createReadOpenSlots,
  createSkipReview,
} from './set-states';
import { createTakeModelTurn } from './take-model-turn';
import { createTellRegression } from './tell-regression';
import {
  createCloseTournament,
  createOpenTournament,
  createReadWaitingMatches,
  createReadWaitingRepeats,
} from './tournament-rows';

/** Activities that only touch rows: on the workflows' own queue. */
export function createRowActivities(deps: ActivityDeps) {
  return {
    createBench: createCreateBench(deps),
    markBench: createMarkBench(deps),
    markCandidate: createMarkCandidate(deps),
    closeCandidate: createCloseCandidate(deps),
    markHold: createMarkHold(deps),
    raiseBenchBudget: createRaiseBudget(deps),
    dropCandidate: createDropCandidate(deps),
    readOpenSlots: createReadOpenSlots(deps),
    endSlots: createEndSlots(deps),
    markDuplicates: createMarkDuplicates(deps),
    acceptDraft: createAcceptDraft(deps),
    skipReview: createSkipReview(deps),
    openTournament: createOpenTournament(deps),
    readWaitingMatches: createReadWaitingMatches(deps),
    readWaitingRepeats: createReadWaitingRepeats(deps),
    closeTournament: createCloseTournament(deps),
    checkScipivotWorker: createCheckScipivotWorker(deps),
    openScipivot: createOpenScipivot(deps),
    readOpenSessions: createReadOpenSessions(deps),
    holdSubject: createHoldSubject(deps),
    markSubject: createMarkSubject(deps),
    finishBench: createFinishBench(deps),
    openNight: createOpenNight(deps),
    closeNight: createCloseNight(deps),
    tellRegression: createTellRegression(deps),
    openRubric: createOpenRubric(deps),
  };
}

/** Activities that call a model: on its provider's queue. */
export function createModelActivities(deps: ActivityDeps) {
  return {
    checkProvider: createCheckProvider(deps),
    takeModelTurn: createTakeModelTurn(deps),
    reviewHypothesis: createReviewHypothesis(deps),
    argueTurn: createArgueTurn(deps),
    judgeVerdict: createJudgeVerdict(deps),
    askSession: createAskSession(deps),
    scoreRubric: createScoreRubric(deps),
  };
}

/** Activities that search the literature: on its own queue. */
export function createLiteratureActivities(deps: ActivityDeps) {
  return { offerLiterature: createOfferLiterature(deps), runTool: createRunTool(deps) };
}

export type RowActivities = ReturnType<typeof createRowActivities>;
export type ModelActivities = ReturnType<typeof createModelActivities>;
export type LiteratureActivities = ReturnType<typeof createLiteratureActivities>;
