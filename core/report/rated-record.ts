import { candidateScope } from '../ids';
import { ratedBenchOf } from '../rated-bench';
import { type JudgeConduct, judgeConduct } from '../ratings/judge-conduct';
import type { PipelineAndRaw } from '../ratings/pipeline-minus-raw';
import { type BenchRatings, type RatedBench, rateBench } from '../ratings/rate-bench';
import type { RatedMatch } from '../ratings/rated-match';
import { callsOfScope, costsOf } from './costs';
import type { RecordedBench } from './recorded-bench';

/** A bench's ratings from its record: as db/bench-facts.ts has them from the rows. null where no match was played. */
export function rateRecord(record: RecordedBench): BenchRatings | null {
  return rateBench(ratedRecord(record));
}

/** What its verdicts tell of its judges. */
export function conductOfRecord(record: RecordedBench): JudgeConduct {
  const { judged, flagged } = ratedRecord(record);
  return judgeConduct(judged, flagged);
}

/** The whole schedule, candidates by their labels. @param bench names it among several; its replicates are runs of it */
export function ratedMatches(record: RecordedBench, bench: string): RatedMatch[] {
  return ratedRecord(record).matches.map((match) => ({ ...match, run: `${bench}/${match.run}` }));
}

/** Models that play exactly once in each mode. */
export function modelPairs(record: RecordedBench): readonly PipelineAndRaw[] {
  return ratedRecord(record).models;
}

function ratedRecord({ run, candidates, hypotheses, matches, calls }: RecordedBench): RatedBench {
  return ratedBenchOf({
    benchId: run.benchId,
    plan: run.plan,
    slots: hypotheses,
    matches: matches.map((match) => ({
      index: match.index,
      candA: match.candA,
      candB: match.candB,
      hypA: match.hypA,
      hypB: match.hypB,
      scoreA: match.scoreA,
      reason: match.reason,
      oneOrder: match.oneOrder,
      verdicts: match.verdicts.flatMap(({ judge, order, repeat, state, winnerPosition }) =>
        state === 'valid' ? [{ judge, order, winner: winnerPosition ?? 'tie', repeat }] : [],
      ),
    })),
    costs: new Map(candidates.map(({ id }) => [id, costsOf(callsOfScope(calls, candidateScope(id)))])),
    spent: [...new Set(calls.map(({ kind }) => kind))].map((kind) => ({
      kind,
      ...costsOf(calls.filter((call) => call.kind === kind)),
    })),
  });
}
