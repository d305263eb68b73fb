import type { BenchState } from '../core/bench-states';
import type { BenchSummary } from '../core/bench-summary';
import { BrokenInvariant } from '../core/broken-invariant';
import { replayElo } from '../core/elo';
import { benchScope, candidateScope, judgeScope } from '../core/ids';
import { isBetweenOwn } from '../core/own-matches';
import { judgeConduct } from '../core/ratings/judge-conduct';
import { type BenchRatings, rateBench } from '../core/ratings/rate-bench';
import { type BenchFacts, summariseBench } from '../core/summarise-bench';
import { withUnknownConduct } from '../core/unkept-conduct';
import { findBench } from './benches';
import { readCandidates } from './candidates';
import { readJudgeCosts, readScopeCosts } from './costs';
import type { Database } from './database';
import { readGoldHitNames } from './gold-hits';
import { readSlots } from './hypotheses';
import { readMatchProgress } from './progress';
import { readRatedBench } from './rated-bench';
import { countVerdicts, readPlayedMatches } from './results';
import { readScipivotSummary } from './scipivot-summary';

/** How a bench is rated: `rateBench`, or the same elsewhere. */
type Rate = (...given: Parameters<typeof rateBench>) => Promise<BenchRatings | null>;

/**
 * Everything a bench's summary is made of, as its rows stand at this moment. Until a bench has finished nobody has
 * held it against its gold set: hits are unknown, not none.
 * @param status what the summary is to say; the state of the rows when left out
 * @param rate for whoever has other work at the same time: ratings of many candidates take long
 * @throws Error when there is no such bench
 */
export async function readBenchFacts(
  db: Database,
  benchId: string,
  status?: BenchState,
  rate: Rate = async (rated, conduct) => rateBench(rated, conduct),
): Promise<BenchFacts> {
  const bench = await findBench(db, benchId);
  if (!bench) throw new BrokenInvariant(`bench ${benchId}: no such bench`);
  const { plan } = bench;
  const matches = await readPlayedMatches(db, benchId);
  const { scheduled, unplayed } = await readMatchProgress(db, benchId);
  const isScored = (status ?? bench.state) === 'finished';
  const goldHits = plan.goldSet && isScored ? await readGoldHitNames(db, benchId, plan.goldSet) : null;
  const candidates = await Promise.all(
    (await readCandidates(db, benchId)).map(async ({ id }) => ({
      id,
      costs: await readScopeCosts(db, benchId, candidateScope(id)),
      goldHitNames: goldHits ? (goldHits.get(id) ?? []) : null,
    })),
  );
  const slots = await readSlots(db, { benchId });
  const rated = await readRatedBench(db, benchId, plan, {
    slots,
    costs: new Map(candidates.map(({ id, costs }) => [id, costs])),
  });
  const conduct = judgeConduct(rated.judged, rated.flagged);
  const verdicts = await countVerdicts(db, benchId);
  return {
    benchId,
    status: status ?? bench.state,
    plan,
    candidates,
    slots,
    matches,
    schedule: { scheduled, unplayed },
    ratings: await rate(rated, conduct),
    conduct,
    elo: replayElo(
      matches.filter(isBetweenOwn(slots)).map((m) => ({ a: m.hypA, b: m.hypB, scoreA: m.scoreA })),
    ),
    judge: {
      costs: await readScopeCosts(db, benchId, judgeScope(benchId)),
      ...totalOf([...verdicts.values()]),
    },
    judges: await readJudges(db, benchId, verdicts),
    totalCosts: await readScopeCosts(db, benchId, benchScope(benchId)),
    scipivot: await readScipivotSummary(db, benchId, plan),
  };
}

type VerdictCounts = { verdicts: number; invalid: number };

function totalOf(counts: readonly VerdictCounts[]): VerdictCounts {
  return {
    verdicts: counts.reduce((sum, { verdicts }) => sum + verdicts, 0),
    invalid: counts.reduce((sum, { invalid }) => sum + invalid, 0),
  };
}

async function readJudges(
  db: Database,
  benchId: string,
  verdicts: ReadonlyMap<string, VerdictCounts>,
): Promise<BenchFacts['judges']> {
  const costs = await readJudgeCosts(db, benchId);
  const names = [...new Set([...costs.keys(), ...verdicts.keys()])];
  return new Map(
    names.map((judge) => [
      judge,
      { costs: costs.get(judge) ?? NO_COSTS, ...(verdicts.get(judge) ?? { verdicts: 0, invalid: 0 }) },
    ]),
  );
}

/** Of a judge that has made no call. */
const NO_COSTS = { costUsd: 0, nUnknownCost: 0, inDoubtUsd: 0, inputTokens: 0, outputTokens: 0 };

/** A bench's summary and the ratings behind it. */
export interface BenchResults {
  summary: BenchSummary;
  /** null where none of its own texts met in a match that was played. */
  ratings: BenchRatings | null;
}

/**
 * What a bench says of itself: what it ended with, or what its rows come to so far.
 * @throws Error when there is no such bench
 */
export async function readResults(db: Database, benchId: string): Promise<BenchResults> {
  const row = await db
    .selectFrom('bench_runs')
    .select(['summary', 'ratings'])
    .where('id', '=', benchId)
    .executeTakeFirst();
  if (row?.summary) return { summary: withUnknownConduct(row.summary), ratings: row.ratings };
  const facts = await readBenchFacts(db, benchId);
  return { summary: summariseBench(facts), ratings: facts.ratings };
}

/** The summary alone. @throws Error when there is no such bench */
export async function readSummary(db: Database, benchId: string): Promise<BenchSummary> {
  return (await readResults(db, benchId)).summary;
}
