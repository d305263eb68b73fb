import type { BenchPlan } from '../core/bench-plan';
import { formatModelRef } from '../core/model-ref';
import { readOwnedBench } from '../db/benches';
import { readCandidates } from '../db/candidates';
import {
  openSubjects,
  readOpenPositions,
  type Subject,
  setSubjectHold,
  setSubjectState,
} from '../db/scipivot';
import { readKeyAccess } from '../db/scipivot-access';
import type { SubjectRole, SubjectState } from '../db/scipivot-tables';
import { writeAsOwner } from '../db/write-as-owner';
import type { ActivityDeps, BenchRef } from './activity-deps';

/** Whoever is to be asked of a bench's SciΠvot sessions. */
export interface AskedSubject {
  subject: string;
  provider: string;
}

/**
 * Before anything is paid: the workers of candidates must not be able to read the answer key.
 * @returns what is wrong; empty: all is well
 */
export function createCheckScipivotWorker({ db }: ActivityDeps) {
  return async function checkScipivotWorker(input: BenchRef): Promise<string[]> {
    await readOwnedBench(db, input);
    const { role, readsAny } = await readKeyAccess(db);
    return readsAny
      ? [
          `scipivot: role ${role} of the workers may read the references (\`co-scientist scipivot run\` says how to part the roles)`,
        ]
      : [];
  };
}

/** Says in the rows who is asked, and returns them in order: dropped candidates are not. */
export function createOpenScipivot({ db }: ActivityDeps) {
  return async function openScipivot(input: BenchRef & { role: SubjectRole }): Promise<AskedSubject[]> {
    const { plan } = await readOwnedBench(db, input);
    if (plan.scipivot === null) return [];
    const { benchId, role } = input;
    const dropped = (await readCandidates(db, benchId)).filter(({ state }) => state === 'dropped');
    const asked = subjectsOf(plan, role).filter(
      ({ subject }) => role === 'judge' || !dropped.some(({ label }) => label === subject),
    );
    const set = { benchId, role, setName: plan.scipivot };
    await writeAsOwner(db, input, (tx) => openSubjects(tx, set, asked));
    return asked.map(({ subject, provider }) => ({ subject, provider }));
  };
}

function subjectsOf(plan: BenchPlan, role: SubjectRole): (Subject & { position: number })[] {
  const models =
    role === 'candidate'
      ? plan.candidates.map(({ label, provider, model }) => ({ subject: label, provider, model }))
      : plan.judges.map((judge) => ({ subject: formatModelRef(judge), ...judge }));
  return models.map(({ subject, provider, model }, position) => ({ subject, provider, model, position }));
}

/** Positions still to be asked: the workflow goes by this, so it can begin anywhere. */
export function createReadOpenSessions({ db }: ActivityDeps) {
  return async function readOpenSessions(
    input: BenchRef & { subject: string; afterPosition: number; limit: number },
  ): Promise<number[]> {
    await readOwnedBench(db, input);
    return readOpenPositions(db, input);
  };
}

export function createMarkSubject({ db }: ActivityDeps) {
  return async function markSubject(
    input: BenchRef & { subject: string; state: SubjectState; failureKind?: string },
  ): Promise<void> {
    const { state, failureKind = null } = input;
    await writeAsOwner(db, input, (tx) => setSubjectState(tx, input, state, failureKind));
  };
}

/** Stores why a subject's sessions have stopped, or (null) that they go on. */
export function createHoldSubject({ db }: ActivityDeps) {
  return async function holdSubject(
    input: BenchRef & { subject: string; reason: string | null },
  ): Promise<void> {
    await writeAsOwner(db, input, (tx) => setSubjectHold(tx, input, input.reason));
  };
}
