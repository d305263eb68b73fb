import { turnKeys } from '../../../core/ids';
import type { RecordedBench } from '../../../core/report/recorded-bench';
import type { TranscriptGroup } from './transcript-store';

/** Matches packed together; pages hold whole multiples of it. */
export const MATCHES_PER_GROUP = 10;

/** The calls that pages can show, as they are packed: a group a slot, and one for every ten matches. */
export function transcriptGroups({ hypotheses, matches, calls }: RecordedBench): TranscriptGroup[] {
  const bySlot = callKeysBySlot(calls.map(({ key }) => key));
  const known = new Set(calls.map(({ key }) => key));
  const groups: TranscriptGroup[] = hypotheses.map(({ id }, i) => ({
    name: `slot-${i}`,
    keys: bySlot.get(id) ?? [],
  }));
  for (let start = 0; start < matches.length; start += MATCHES_PER_GROUP) {
    const some = matches.slice(start, start + MATCHES_PER_GROUP);
    groups.push({
      name: `matches-${start}`,
      keys: some.flatMap(({ verdicts }) =>
        verdicts.flatMap(({ callKey }) => turnKeys(callKey)).filter((key) => known.has(key)),
      ),
    });
  }
  return groups.filter(({ keys }) => keys.length > 0);
}

/** By slot id: turns in their order, the review last. */
export function callKeysBySlot(keys: readonly string[]): Map<string, string[]> {
  const turns = new Map<string, Map<string, number>>();
  for (const key of new Set(keys)) {
    const found = /^(.*\/\d+)\/(?:turn\/(\d+)|review)$/.exec(key);
    if (!found) continue;
    const own = turns.get(found[1]!) ?? new Map<string, number>();
    turns.set(found[1]!, own.set(key, found[2] === undefined ? Number.POSITIVE_INFINITY : Number(found[2])));
  }
  return new Map(
    [...turns].map(([slot, own]) => [
      slot,
      [...own].sort(([, one], [, other]) => one - other).map(([key]) => key),
    ]),
  );
}
