import { compareText } from '../compare-text';

/** The verdict of a match that a rubric's judge is shown: the first valid one that counts, by judge and order; null: none. */
export function firstVerdict<
  T extends { judge: string; order: string; repeat: number; state: 'valid' | 'invalid' },
>(verdicts: readonly T[]): T | null {
  const counted = verdicts.filter(({ repeat, state }) => repeat === 0 && state === 'valid');
  const [first = null] = counted.sort(
    (one, other) => compareText(one.judge, other.judge) || compareText(one.order, other.order),
  );
  return first;
}
