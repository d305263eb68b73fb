import type { BenchState } from '../bench-states';
import { replayElo } from '../elo';
import { benchScope, candidateScope, judgeScope } from '../ids';
import type { BenchFacts } from '../summarise-bench';
import { compareText } from './compare-text';
import { callsOfScope, costsOf } from './costs';
import type { RecordedBench, RecordedMatch } from './recorded-bench';

/** Everything a bench's summary is made of, from its record: what db/bench-facts.ts reads from the rows. */
export function factsOfRecord(record: RecordedBench, status: BenchState = record.run.state): BenchFacts {
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
      goldHitNames: hasGoldScore(record) ? goldHitNames(record, id) : null,
    })),
    slots: hypotheses.map(({ id, candidateId, state, failureKind }) => ({
      id,
      candidateId,
      state,
      failureKind,
    })),
    matches: played,
    schedule: { scheduled: matches.length, unplayed: countReasons(matches) },
    elo: replayElo(played.map((m) => ({ a: m.hypA, b: m.hypB, scoreA: m.scoreA }))),
    judge: {
      costs: costsOf(callsOfScope(calls, judgeScope(run.benchId))),
      verdicts: verdicts.length,
      invalid: verdicts.filter(({ state }) => state === 'invalid').length,
    },
    totalCosts: costsOf(callsOfScope(calls, benchScope(run.benchId))),
  };
}

function countReasons(matches: readonly RecordedMatch[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { reason } of matches.filter(({ state }) => state === 'unplayed')) {
    counts[reason ?? 'unknown'] = (counts[reason ?? 'unknown'] ?? 0) + 1;
  }
  return counts;
}

/** Until a bench has ended nobody has held it against its gold set: hits are unknown, not none. */
function hasGoldScore({ run }: RecordedBench): boolean {
  return run.plan.goldSet !== null && (run.summary !== null || run.state === 'finished');
}

/** Entities of the bench's gold set that a candidate's hypotheses name, each once, by name. */
export function goldHitNames({ run, hypotheses, goldHits }: RecordedBench, candidateId: string): string[] {
  const own = new Set(hypotheses.filter((h) => h.candidateId === candidateId).map(({ id }) => id));
  const hits = goldHits.filter((hit) => hit.goldSet === run.plan.goldSet && own.has(hit.hypothesisId));
  return [...new Set(hits.map(({ entity }) => entity))].sort(compareText);
}

export type PlayedRecord = RecordedMatch & {
  winner: 'a' | 'b' | 'tie';
  scoreA: number;
  agreement: 'agreed' | 'half_flip' | 'flip';
};

/** In schedule order. */
export function playedMatches(matches: readonly RecordedMatch[]): PlayedRecord[] {
  return matches.filter(
    (match): match is PlayedRecord =>
      match.state === 'played' && match.winner !== null && match.scoreA !== null && match.agreement !== null,
  );
}
