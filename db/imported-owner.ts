/** Before the first run id of a bench that was imported; no run id that Temporal gives has a colon. */
const MARK = 'imported:';

/**
 * A bench that was imported belongs to no workflow, though one of its id may run: the bench's own, where it was exported
 * from, over the rows there. Under this first run id none is taken for its own.
 */
export function importedFirstRun(firstRunId: string): string {
  return MARK + firstRunId;
}

export function isImported({ firstRunId }: { firstRunId: string }): boolean {
  return firstRunId.startsWith(MARK);
}

/** As its first run was where the bench came from: what is exported. */
export function originalFirstRun(firstRunId: string): string {
  return isImported({ firstRunId }) ? firstRunId.slice(MARK.length) : firstRunId;
}
