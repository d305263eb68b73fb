/** Ids are built from their parents' ids, so a retry, a reset and a resume all name the same row. */

export type Order = 'ab' | 'ba';
export const ORDERS: readonly Order[] = ['ab', 'ba'];

/** `bnc_` and a ULID (26 characters of Crockford base32). */
export const BENCH_ID_PATTERN = /^bnc_[0-9A-HJKMNP-TV-Z]{26}$/;

export function candidateId(benchId: string, label: string): string {
  return `${benchId}/${label}`;
}

/** @param k slot number, from 1 */
export function hypothesisId(candidate: string, k: number): string {
  return `${candidate}/${k}`;
}

/** @param index position in the stored schedule, from 0 */
export function matchId(benchId: string, index: number): string {
  return `${benchId}/m${index}`;
}

/** @param turn model turn of this slot, from 1 */
export function generationKey(hypothesis: string, turn: number): string {
  return `${hypothesis}/turn/${turn}`;
}

export function reviewKey(hypothesis: string): string {
  return `${hypothesis}/review`;
}

/** @param judge `provider:model`
 *  @param turn from 1; a single verdict has turn 1, one after a debate the turn after its arguments
 *  @param repeat 0: the verdict that counts; from 1: asked again in the same order */
export function verdictKey(match: string, order: Order, judge: string, turn: number, repeat = 0): string {
  const again = repeat === 0 ? '' : `repeat/${repeat}/`;
  return `${match}/${order}/${judge}/${again}${turn}`;
}

/** Keys of the turns that led up to a verdict, its own last. @param key as `verdictKey` makes it */
export function turnKeys(key: string): string[] {
  const place = key.lastIndexOf('/') + 1;
  const turns = Number(key.slice(place));
  return Array.from({ length: turns }, (_, i) => `${key.slice(0, place)}${i + 1}`);
}

/** The bench of a key, as all of them begin with its id. */
export function benchOf(key: string): string {
  const [benchId = ''] = key.split('/', 1);
  return benchId;
}

export function probeKey(benchId: string, modelRef: string): string {
  return `${benchId}/probe/${modelRef}`;
}

/**
 * One session of SciΠvot: a case shown in one order.
 * @param subject who is asked: a candidate's label, or a judge as `provider:model`
 */
export function sessionKey(benchId: string, subject: string, caseId: string, order: Order): string {
  return `${benchId}/scipivot/${keyPart(subject)}/${keyPart(caseId)}/${order}`;
}

/** A name as one part of a key: what would end the part is written as in a URL. A label stays as it is. */
export function keyPart(name: string): string {
  return name.replaceAll('%', '%25').replaceAll('/', '%2F');
}

/** Ids of the budget scopes a call is charged to. */
export function candidateScope(candidate: string): string {
  return candidate;
}

export function judgeScope(benchId: string): string {
  return `${benchId}/judge`;
}

export function benchScope(benchId: string): string {
  return benchId;
}

/** Rubric scores are paid for after a bench has ended: none of its own caps is for them. */
export function rubricScope(benchId: string): string {
  return `${benchId}/eval/rubric`;
}

/**
 * One piece of work, scored by one judge.
 * @param judge `provider:model`
 * @param subject id of a hypothesis, a match or the bench
 */
export function rubricKey(
  benchId: string,
  place: { agent: string; version: number; judge: string; subject: string },
): string {
  const subject = place.subject.slice(benchId.length + 1) || 'report';
  return `${benchId}/rubric/${place.agent}/${place.version}/${place.judge}/${subject}`;
}
