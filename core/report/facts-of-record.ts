import type { BenchState } from '../bench-states';
import { compareText } from '../compare-text';
import { countWords } from '../count-words';
import { replayElo } from '../elo';
import { benchScope, candidateScope, judgeScope } from '../ids';
import { formatModelRef } from '../model-ref';
import { isBetweenOwn } from '../own-matches';
import type { BenchFacts } from '../summarise-bench';
import { callsOfScope, costsOf } from './costs';
import { type RatedRecord, rateRecord } from './rated-record';
import type { RecordedBench, RecordedMatch } from './recorded-bench';

/**
 * Everything a bench's summary is made of, from its record: what db/bench-facts.ts reads from the rows.
 * @param status what the summary is to say
 * @param rated the record's ratings, where they have been made already
 */
export function factsOfRecord(
  record: RecordedBench,
  status: BenchState = record.run.state,
  { ratings, conduct }: RatedRecord = rateRecord(record),
): BenchFacts {
  const { run, candidates, hypotheses, matches, calls } = record;
  const played = playedMatches(matches);
  const verdicts = matches.flatMap((match) => match.verdicts);
  return {
    benchId: run.benchId,
    status,
    plan: run.plan,
    candidates: candidates.map(({ id }) => ({
      id,
      costs: costsOf(callsOfScope(calls, candidateScope(id))),
      // Until a bench has finished nobody has held it against its gold set: hits are unknown, not none.
      goldHitNames: run.plan.goldSet !== null && status === 'finished' ? goldHitNames(record, id) : null,
    })),
    slots: hypotheses.map(({ id, candidateId, state, failureKind }) => ({
      id,
      candidateId,
      state,
      failureKind,
    })),
    matches: played,
    schedule: { scheduled: matches.length, unplayed: countReasons(matches) },
    ratings,
    conduct,
    elo: replayElo(
      played.filter(isBetweenOwn(hypotheses)).map((m) => ({ a: m.hypA, b: m.hypB, scoreA: m.scoreA })),
    ),
    judge: {
      costs: costsOf(callsOfScope(calls, judgeScope(run.benchId))),
      verdicts: verdicts.length,
      invalid: verdicts.filter(({ state }) => state === 'invalid').length,
    },
    judges: judgesOf(run.plan.judges.map(formatModelRef), record),
    totalCosts: costsOf(callsOfScope(calls, benchScope(run.benchId))),
    // Its answer keys are in no record: what was graded is carried along.
    scipivot: run.summary?.scipivot,
  };
}

function judgesOf(judges: readonly string[], { matches, calls }: RecordedBench): BenchFacts['judges'] {
  const judging = calls.filter(({ kind }) => kind === 'judge' || kind === 'debate');
  return new Map(
    judges.map((judge) => {
      const verdicts = matches.flatMap((match) =>
        match.verdicts.filter((verdict) => verdict.judge === judge),
      );
      return [
        judge,
        {
          costs: costsOf(judging.filter((call) => formatModelRef(call) === judge)),
          verdicts: verdicts.length,
          invalid: verdicts.filter(({ state }) => state === 'invalid').length,
        },
      ];
    }),
  );
}

/** Unplayed matches by reason, in the order of the reasons. */
export function countReasons(matches: readonly RecordedMatch[]): Record<string, number> {
  return countWords(
    matches.filter(({ state }) => state === 'unplayed').map(({ reason }) => reason ?? 'unknown'),
  );
}

/** Entities of the bench's gold set that a candidate's hypotheses name, each once, by name. */
export function goldHitNames({ run, hypotheses, goldHits }: RecordedBench, candidateId: string): string[] {
  const own = new Set(hypotheses.filter((h) => h.candidateId === candidateId).map(({ id }) => id));
  const hits = goldHits.filter((hit) => hit.goldSet === run.plan.goldSet && own.has(hit.hypothesisId));
  return [...new Set(hits.map(({ entity }) => entity))].sort(compareText);
}

export type PlayedRecord = RecordedMatch & { winner: 'a' | 'b' | 'tie'; scoreA: number };

/** In schedule order. */
export function playedMatches(matches: readonly RecordedMatch[]): PlayedRecord[] {
  return matches.filter(
    (match): match is PlayedRecord =>
      match.state === 'played' && match.winner !== null && match.scoreA !== null,
  );
}
