import { candidateScope } from '../ids';
import { ratedBenchOf } from '../rated-bench';
import { type JudgeConduct, judgeConduct } from '../ratings/judge-conduct';
import { type BenchRatings, type RatedBench, rateBench } from '../ratings/rate-bench';
import { callsOfScope, costsOf } from './costs';
import type { RecordedBench } from './recorded-bench';

/** A bench's record with what its verdicts say of its candidates and its judges. */
export interface RatedRecord {
  /** The form in which the ratings take it: as db/rated-bench.ts has it from the rows. */
  bench: RatedBench;
  /** null where no match was played. */
  ratings: BenchRatings | null;
  conduct: JudgeConduct;
}

/** @param stored ratings to be taken as they are, not made again */
export function rateRecord(record: RecordedBench, stored: BenchRatings | null = null): RatedRecord {
  const bench = ratedBenchOfRecord(record);
  const conduct = judgeConduct(bench.judged, bench.flagged);
  return { bench, conduct, ratings: stored ?? rateBench(bench, conduct) };
}

function ratedBenchOfRecord({ run, candidates, hypotheses, matches, calls }: RecordedBench): RatedBench {
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
