import { NightJudge } from '../core/nightly/judge-nights';
import { anchorScores, candidateScore } from '../core/nightly/night-scores';
import { choosePanel, type Panel } from '../core/nightly/panel';
import { modelChanges } from '../core/nightly/reported-models';
import { readOwnedBench } from '../db/benches';
import { type CandidateRow, readCandidates } from '../db/candidates';
import type { Database } from '../db/database';
import {
  closeBaselineNight,
  type NightResult,
  readFirstModels,
  readPanelCandidates,
  readReportedModels,
  readScoredNights,
  saveNight,
} from '../db/night-results';
import {
  findNight,
  lockNightly,
  type NightRef,
  readBaseline,
  readNightly,
  saveBaseline,
} from '../db/nightlies';
import { readRatedRows } from '../db/rated-bench';
import { writeAsOwner } from '../db/write-as-owner';
import type { ActivityDeps, BenchRef } from './activity-deps';

/**
 * What a finished bench means for its nightly: its scores are judged with those of the nights before, or, where it is
 * the baseline's own night, its hypotheses become the panel. The same again changes nothing.
 */
export function createCloseNight({ db }: ActivityDeps) {
  return async function closeNight(input: BenchRef): Promise<void> {
    await readOwnedBench(db, input);
    const night = await findNight(db, input.benchId);
    if (!night) return;
    const candidates = await readCandidates(db, input.benchId);
    const models = await readReportedModels(db, input.benchId, candidates);
    if (night.kind === 'baseline') {
      const panel = choosePanel(await readPanelCandidates(db, input.benchId));
      // Too little to be a panel: the next night plays the baseline again.
      const isPanel = panel.opponents.length >= 2;
      await writeAsOwner(db, input, async (tx) => {
        const baseline = { ...panel, pinnedBench: input.benchId };
        if (isPanel) await saveBaseline(tx, night.nightlyId, night.baseline, baseline);
        await closeBaselineNight(tx, night, models);
      });
      return;
    }
    const changes = modelChanges((await readFirstModels(db, night)) ?? {}, models);
    await writeAsOwner(db, input, async (tx) => {
      // Of two nights that end at once, the second sees the first.
      await lockNightly(tx, night.nightlyId);
      const result = { ...(await judge(tx, night, input.benchId, candidates)), models, changes };
      await saveNight(tx, night, result);
    });
  };
}

/** Tonight's scores after those of all nights of the same baseline. */
async function judge(
  db: Database,
  night: NightRef,
  benchId: string,
  candidates: CandidateRow[],
): Promise<Omit<NightResult, 'models' | 'changes'>> {
  const { alpha, seed } = await readNightly(db, night.nightlyId);
  const panel = await readBaseline(db, night.nightlyId, night.baseline);
  if (!panel) throw new Error(`${benchId}: its night has no baseline`);
  const sides = sidesOf(panel);
  const labels = candidates.map(({ label }) => label);
  const nightJudge = new NightJudge({ labels, sides: sides.length, alpha, seed });
  for (const { scores, anchors, night: other } of await readScoredNights(db, night)) {
    if (other === night.night) continue;
    nightJudge.add({ candidates: labels.map((label) => scores.get(label) ?? null), anchors });
  }
  const rows = await readRatedRows(db, benchId);
  const own = candidates.map(({ id }) => rows.filter((row) => row.candA === id).map((row) => row.scoreA));
  const place = new Map(sides.map((id, i) => [id, i]));
  const anchors = rows.flatMap(({ candA, candB, scoreA }) => {
    const [a, b] = [place.get(candA), place.get(candB)];
    return a === undefined || b === undefined ? [] : [{ a, b, scoreA }];
  });
  const scores = {
    candidates: own.map(candidateScore),
    anchors: anchorScores(anchors, sides.length),
  };
  return {
    labels,
    scores,
    played: own.map((all) => ({
      played: all.filter((score) => score !== null).length,
      planned: all.length,
    })),
    judged: nightJudge.add(scores),
  };
}

/** Ids of the pinned candidates on the panel, in its order. */
function sidesOf({ opponents }: Panel): string[] {
  return [...new Set(opponents.map((id) => id.slice(0, id.lastIndexOf('/'))))];
}
