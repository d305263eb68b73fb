import { checkCaps, checkRefusals } from '../../core/evaluation/budgets';
import type { EvalAgent, EvalCheck } from '../../core/evaluation/eval-check';
import { checkNearDuplicates } from '../../core/evaluation/near-duplicates';
import { checkSlotStates } from '../../core/evaluation/slot-states';
import type { RecordedBench } from '../../core/report/recorded-bench';
import { checkCitations } from './citation-integrity';
import { EndToEnd } from './end-to-end';
import { checkOutcomes, checkReport, checkResults } from './figures';
import { StoredRecords } from './stored-records';
import { StructuredOutput } from './structured-output';
import { type RunningCheck, runChecks, type Transcripts } from './transcripts';

type Bench = Transcripts['bench'];

/** The checks of each agent; a new one is a file of its own and a line here. */
const CHECKS: Record<EvalAgent, (bench: Bench, leastCompliance: number) => RunningCheck[]> = {
  generation: (bench, least) => [
    new StructuredOutput('generation', ['generation'], bench, least),
    new StoredRecords('generation', 'generation', bench),
    atTheEnd(checkCitations),
    atTheEnd(checkSlotStates),
    atTheEnd(checkNearDuplicates),
    atTheEnd(checkCaps),
    atTheEnd(checkRefusals),
  ],
  reflection: (bench, least) => [
    new StructuredOutput('reflection', ['review'], bench, least),
    new StoredRecords('reflection', 'review', bench),
  ],
  ranking: (bench, least) => [
    new StructuredOutput('ranking', ['judge', 'debate'], bench, least),
    new StoredRecords('ranking', 'judge', bench),
    atTheEnd(checkOutcomes),
  ],
  overview: () => [atTheEnd(checkResults), atTheEnd(checkReport)],
};

export interface EvalOptions {
  /** null: all of them, and from end to end. */
  agent: EvalAgent | null;
  /** Share of the answers, 0 to 1, that must be the records they were to be. */
  leastCompliance: number;
}

/** Holds recorded transcripts against every rule that they can show. Nobody is called, and no key is needed. */
export async function evaluate(transcripts: Transcripts, options: EvalOptions): Promise<EvalCheck[]> {
  const { agent, leastCompliance } = options;
  const { bench } = transcripts;
  const checks = agent
    ? CHECKS[agent](bench, leastCompliance)
    : [...Object.values(CHECKS).flatMap((of) => of(bench, leastCompliance)), new EndToEnd(bench)];
  return runChecks(transcripts, checks);
}

function atTheEnd(check: (bench: RecordedBench) => EvalCheck): RunningCheck {
  return { end: check };
}
