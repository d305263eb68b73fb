/** By whom (a candidate's label, or `the judge`): the names and fingerprints that its answers gave, sorted. */
export type ReportedModels = Record<string, string[]>;

/** A model that does not report what it reported on the first night of the baseline. */
export interface ModelChange {
  who: string;
  before: string[];
  now: string[];
}

/**
 * Aliases that may have changed under you: whoever reports a name tonight that it did not report then. Who reported
 * nothing at either time is unknown, not changed.
 */
export function modelChanges(before: ReportedModels, now: ReportedModels): ModelChange[] {
  return Object.entries(now).flatMap(([who, names]) => {
    const known = before[who] ?? [];
    const isNew = names.some((name) => !known.includes(name));
    return known.length > 0 && isNew ? [{ who, before: known, now: names }] : [];
  });
}
