import { ORDERS, type Order } from '../ids';
import type { Interval } from '../ratings/interval';
import { type AnswerRuling, type ReadJson, readAnswer } from './answer';
import { type BootstrapSettings, bootstrapMeanInterval } from './bootstrap';
import { compareCaseIds } from './case-order';
import { type PositionBias, positionBias } from './position-bias';
import { type Letter, namedOption, type Reference } from './public-case';

/** How a session ended, as the one who ran it says. Anything but `ok` is wrong, whatever the response. */
export type PredictionStatus = 'ok' | 'timeout' | 'truncated' | 'provider_error' | 'refused';
export const PREDICTION_STATUSES: readonly PredictionStatus[] = [
  'ok',
  'timeout',
  'truncated',
  'provider_error',
  'refused',
];

/** Ways in which a session gives no answer. Each counts as wrong; `missing` is a session nobody handed in. */
export type SessionFailure = Exclude<PredictionStatus, 'ok'> | 'unparseable' | 'ambiguous' | 'missing';
export const SESSION_FAILURES: readonly SessionFailure[] = [
  'timeout',
  'truncated',
  'provider_error',
  'refused',
  'unparseable',
  'ambiguous',
  'missing',
];

/** One session, ruled: a case shown in one order, and the letter given or why there is none. */
export interface Prediction {
  caseId: string;
  order: Order;
  outcome: { kind: 'answer'; letter: Letter } | { kind: Exclude<SessionFailure, 'missing'> };
}

/** Aggregates over all cases. A score for each case would give its label away, so none is in here. */
export interface ScipivotScore {
  nCases: number;
  /** Two a case, handed in or not. */
  nSessions: number;
  /** Mean over cases of s = ½[1(ŷ_ab = y) + 1(ŷ_ba = swap(y))]; from 0 to 1. */
  mean: number;
  interval: Interval;
  bootstrap: BootstrapSettings;
  nCorrectSessions: number;
  nAnsweredSessions: number;
  failures: Record<SessionFailure, number>;
  /** Over answered sessions: how often the letter was A, the option shown first. null: none answered. */
  shownFirstRate: number | null;
  /** Over cases answered in both orders: how often both answers name the same option. null: no such case. */
  orderConsistency: number | null;
  nCasesAnsweredTwice: number;
  /** Over all cases, for each order apart: the share of correct answers. */
  meanByOrder: Record<Order, number>;
  positionBias: PositionBias;
}

/**
 * Rules a session: its status first, then the response's one reading.
 * @param response null where a session that is not `ok` has none
 */
export function ruleSession(
  session: { caseId: string; order: Order; status: PredictionStatus; response: string | null },
  readJson: ReadJson,
): Prediction {
  const { caseId, order, status, response } = session;
  if (status !== 'ok') return { caseId, order, outcome: { kind: status } };
  const ruling: AnswerRuling = readAnswer(response ?? '', readJson);
  return { caseId, order, outcome: ruling.kind === 'answer' ? ruling : { kind: ruling.kind } };
}

/**
 * Scores predictions against references. The denominator is every case in both orders: a failed, unreadable
 * or missing session is wrong. The order of either list changes nothing.
 *
 * @throws RangeError for no references, a case named twice, a prediction for an unknown case, or two for one
 *   session: readers reject such files beforehand, with the line
 */
export function scorePredictions(
  references: readonly Reference[],
  predictions: readonly Prediction[],
  bootstrap: BootstrapSettings,
): ScipivotScore {
  const labels = labelsInOrder(references);
  const sessions = sessionsByCase(labels, predictions);
  const cases = [...labels].map(([caseId, label]) => caseResult(label, sessions.get(caseId) ?? {}));
  const failures = countFailures(cases);
  const answered = cases.flatMap(({ letters }) => ORDERS.flatMap((order) => letters[order] ?? []));
  const correctBy = (order: Order) => cases.filter(({ correct }) => correct[order]).length;
  const answeredTwice = cases.filter(({ letters }) => letters.ab !== null && letters.ba !== null);
  const nCorrect = correctBy('ab') + correctBy('ba');
  const isConsistent = ({ letters: { ab, ba } }: CaseResult) =>
    namedOption(ab!, 'ab') === namedOption(ba!, 'ba');
  return {
    nCases: cases.length,
    nSessions: cases.length * ORDERS.length,
    mean: nCorrect / 2 / cases.length,
    interval: bootstrapMeanInterval(cases.map(caseScore), bootstrap),
    bootstrap,
    nCorrectSessions: nCorrect,
    nAnsweredSessions: answered.length,
    failures,
    shownFirstRate: share(answered.filter((letter) => letter === 'A').length, answered.length),
    orderConsistency: share(answeredTwice.filter(isConsistent).length, answeredTwice.length),
    nCasesAnsweredTwice: answeredTwice.length,
    meanByOrder: { ab: correctBy('ab') / cases.length, ba: correctBy('ba') / cases.length },
    positionBias: positionBias(answeredTwice.map(({ letters }) => ({ ab: letters.ab!, ba: letters.ba! }))),
  };
}

/** What one case scored: with the answers it is the case's label, so it stays with graders. */
export interface CaseScore {
  caseId: string;
  /** 0, ½ or 1. */
  score: number;
}

/**
 * The scores that `scorePredictions` takes the mean of, ordered by case id.
 * @throws RangeError as that does
 */
export function scoreCases(
  references: readonly Reference[],
  predictions: readonly Prediction[],
): CaseScore[] {
  const labels = labelsInOrder(references);
  const sessions = sessionsByCase(labels, predictions);
  return [...labels].map(([caseId, label]) => ({
    caseId,
    score: caseScore(caseResult(label, sessions.get(caseId) ?? {})),
  }));
}

interface CaseResult {
  outcomes: Record<Order, Prediction['outcome'] | { kind: 'missing' }>;
  letters: Record<Order, Letter | null>;
  correct: Record<Order, boolean>;
}

function labelsInOrder(references: readonly Reference[]): Map<string, Letter> {
  if (references.length === 0) throw new RangeError('references: none given, at least one case needed');
  const sorted = [...references].sort((a, b) => compareCaseIds(a.caseId, b.caseId));
  const labels = new Map<string, Letter>();
  for (const { caseId, label } of sorted) {
    if (labels.has(caseId)) throw new RangeError(`references: a case named twice: ${JSON.stringify(caseId)}`);
    labels.set(caseId, label);
  }
  return labels;
}

type Sessions = Partial<Record<Order, Prediction['outcome']>>;

function sessionsByCase(
  labels: ReadonlyMap<string, Letter>,
  predictions: readonly Prediction[],
): Map<string, Sessions> {
  const byCase = new Map<string, Sessions>();
  for (const { caseId, order, outcome } of predictions) {
    const name = `${JSON.stringify(caseId)} ${order}`;
    if (!labels.has(caseId)) throw new RangeError(`predictions: no such case: ${name}`);
    const sessions = byCase.get(caseId) ?? {};
    if (sessions[order] !== undefined) throw new RangeError(`predictions: a session twice: ${name}`);
    sessions[order] = outcome;
    byCase.set(caseId, sessions);
  }
  return byCase;
}

function caseResult(label: Letter, sessions: Sessions): CaseResult {
  const outcomes = { ab: sessions.ab ?? MISSING, ba: sessions.ba ?? MISSING };
  const letters = { ab: letterOf(outcomes.ab), ba: letterOf(outcomes.ba) };
  const isCorrect = (order: Order) => {
    const letter = letters[order];
    return letter !== null && namedOption(letter, order) === label;
  };
  return { outcomes, letters, correct: { ab: isCorrect('ab'), ba: isCorrect('ba') } };
}

const MISSING = { kind: 'missing' } as const;

function letterOf(outcome: CaseResult['outcomes'][Order]): Letter | null {
  return outcome.kind === 'answer' ? outcome.letter : null;
}

function caseScore({ correct }: CaseResult): number {
  return ((correct.ab ? 1 : 0) + (correct.ba ? 1 : 0)) / 2;
}

function countFailures(cases: readonly CaseResult[]): Record<SessionFailure, number> {
  const outcomes = cases.flatMap((result) => [result.outcomes.ab, result.outcomes.ba]);
  const count = (failure: SessionFailure) => outcomes.filter(({ kind }) => kind === failure).length;
  return Object.fromEntries(SESSION_FAILURES.map((failure) => [failure, count(failure)])) as Record<
    SessionFailure,
    number
  >;
}

function share(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole;
}
