import type { BenchState } from '../core/bench-states';
import type { BenchSummary } from '../core/bench-summary';
import type { AnchorScores } from '../core/nightly/judge-evidence';
import type { ModelChange } from '../core/nightly/reported-models';
import type { NightlyVerdict } from '../core/ratings/nightly-evidence';
import { withUnknownConduct } from '../core/unkept-conduct';
import { readBenchCosts } from './costs';
import type { Database } from './database';

/** A night as it is shown. */
export interface NightView {
  night: number;
  kind: 'baseline' | 'measured';
  baseline: number;
  benchId: string | null;
  workflowId: string;
  /** null: its bench has not been planned. */
  benchState: BenchState | null;
  startedAt: Date;
  judgedAt: Date | null;
  anchors: AnchorScores | null;
  judgeHighest: number | null;
  hasJudgeDrifted: boolean | null;
  changes: ModelChange[];
  toldState: 'telling' | 'told' | 'failed' | null;
  toldDetail: string | null;
  /** Sum of the known costs of its calls, in USD. */
  costUsd: number;
  /** Calls of unknown cost, and bounds of those that may have been billed. */
  nUnknownCost: number;
  inDoubtUsd: number;
  candidates: NightCandidateView[];
}

export interface NightCandidateView {
  label: string;
  score: number | null;
  played: number;
  planned: number;
  nights: number;
  highestDrop: number;
  highestGain: number;
  verdict: NightlyVerdict;
}

/** In their order. */
export async function readNights(db: Database, nightlyId: string): Promise<NightView[]> {
  const nights = await db
    .selectFrom('bench_nights as n')
    .leftJoin('bench_runs as b', 'b.id', 'n.bench_id')
    .select(['n.night', 'n.kind', 'n.baseline', 'n.bench_id as benchId', 'n.workflow_id as workflowId'])
    .select(['b.state as benchState', 'n.started_at as startedAt', 'n.judged_at as judgedAt', 'n.anchors'])
    .select(['n.judge_highest as judgeHighest', 'n.has_judge_drifted as hasJudgeDrifted', 'n.changes'])
    .select(['n.told_state as toldState', 'n.told_detail as toldDetail'])
    .where('n.nightly_id', '=', nightlyId)
    .orderBy('n.night')
    .execute();
  const candidates = await db
    .selectFrom('bench_night_candidates')
    .select(['night', 'label', 'score', 'played', 'planned', 'nights', 'verdict'])
    .select(['highest_drop as highestDrop', 'highest_gain as highestGain'])
    .where('nightly_id', '=', nightlyId)
    .orderBy('night')
    .orderBy('position')
    .execute();
  const costs = await readBenchCosts(
    db,
    nights.flatMap(({ benchId }) => benchId ?? []),
  );
  return nights.map((night) => ({
    ...night,
    changes: night.changes ?? [],
    ...costsOf(costs.get(night.benchId ?? '')),
    candidates: candidates.filter((row) => row.night === night.night).map(({ night: _, ...row }) => row),
  }));
}

/** What the bench of each night ended with, by its id; a night that has not ended is not among them. */
export async function readNightSummaries(
  db: Database,
  nightlyId: string,
): Promise<Map<string, BenchSummary>> {
  const rows = await db
    .selectFrom('bench_nights as n')
    .innerJoin('bench_runs as b', 'b.id', 'n.bench_id')
    .select(['b.id', 'b.summary'])
    .where('n.nightly_id', '=', nightlyId)
    .execute();
  return new Map(
    rows.flatMap(({ id, summary }) =>
      summary === null ? [] : [[id, withUnknownConduct(summary)] satisfies [string, BenchSummary]],
    ),
  );
}

/** A night that has called nobody yet has cost nothing. */
function costsOf(costs: Pick<NightView, 'costUsd' | 'nUnknownCost' | 'inDoubtUsd'> | undefined) {
  const { costUsd = 0, nUnknownCost = 0, inDoubtUsd = 0 } = costs ?? {};
  return { costUsd, nUnknownCost, inDoubtUsd };
}

export async function findNightOfWorkflow(
  db: Database,
  nightlyId: string,
  workflowId: string,
): Promise<{ benchId: string | null } | undefined> {
  return db
    .selectFrom('bench_nights')
    .select('bench_id as benchId')
    .where('nightly_id', '=', nightlyId)
    .where('workflow_id', '=', workflowId)
    .executeTakeFirst();
}
