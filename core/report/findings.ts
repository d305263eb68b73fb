import { sumUsd } from '../prices';
import type { CandidateDifference } from '../ratings/candidate-ratings';
import type { BenchReport } from './bench-report';
import {
  countText,
  eloText,
  pValueText,
  shareText,
  signedEloText,
  signedIntervalText,
  usdText,
} from './figure-text';
import { type ModelRuns, type PipelineRuns, pipelineRuns } from './pipeline-runs';
import { doesStand } from './rating-words';
import { scipivotFinding } from './scipivot-words';
import { isSessionsAlone, whyUnrated } from './why-unrated';

/**
 * What the benches show, a sentence each. A sentence names figures and what follows from them by rule (an interval
 * that excludes zero, an exact test); where nothing follows it says so. Plain text, not escaped for any page.
 */
export function findingsOf(benches: readonly BenchReport[], runs: readonly PipelineRuns[]): string[] {
  if (benches.length === 0) return [];
  return [
    overviewOf(benches),
    ...benches.flatMap(scipivotFindings),
    ...benches.flatMap(differenceFindings),
    ...runs.flatMap(pipelineFindings),
    ...benches.flatMap(judgeFindings),
    ...benches.flatMap(goldFindings),
  ];
}

/** The findings of one bench alone, without an overview. */
export function benchFindings(bench: BenchReport): string[] {
  return [
    ...scipivotFindings(bench),
    ...differenceFindings(bench),
    ...pipelineRuns([bench]).flatMap(pipelineFindings),
    ...judgeFindings(bench),
    ...goldFindings(bench),
  ];
}

function overviewOf(benches: readonly BenchReport[]): string {
  const simulated = benches.filter(({ isSimulated }) => isSimulated).length;
  const played = benches.reduce((sum, { matches }) => sum + matches.played, 0);
  const candidates = benches.reduce((sum, bench) => sum + bench.candidates.length, 0);
  const real = benches.filter(({ isSimulated }) => !isSimulated);
  const spent = real.length === 0 ? 'no real dollar' : usdText(sumUsd(real.map(costOf)));
  const made = simulated > 0 ? ` (${simulated} simulated: models, verdicts and dollars made up)` : '';
  return `${countText(benches.length, 'bench', 'benches')}${made}, ${countText(candidates, 'candidate')}, ${countText(played, 'match', 'matches')} played, ${spent} spent as far as costs are known.`;
}

/** Which bench a finding is of; a simulated one says so in each. */
function headOf({ benchId, isSimulated }: BenchReport): string {
  return isSimulated ? `${benchId} (simulated)` : benchId;
}

function scipivotFindings(bench: BenchReport): string[] {
  const { scipivot } = bench.summary;
  const finding = scipivot ? scipivotFinding(scipivot) : null;
  return finding === null ? [] : [`${headOf(bench)}: ${finding}`];
}

const NAMED = 4;

function differenceFindings(bench: BenchReport): string[] {
  const { ratings, candidates } = bench;
  if (isSessionsAlone(bench)) return [];
  if (ratings === null) {
    return [
      `${headOf(bench)}: ${whyUnrated(bench)}, so ${countText(candidates.length, 'candidate')} stand unrated.`,
    ];
  }
  const { differences, settings } = ratings.given;
  const judged = differences.filter(({ amongPairs }) => amongPairs !== null);
  if (settings.isJudgeUninformative) {
    return [`${headOf(bench)}: the judge flips too often to be believed; of its ratings nothing follows.`];
  }
  const standing = differences.filter(({ word }) => doesStand(word));
  const equal = differences.filter(({ word }) => word === 'no_difference').length;
  const underpowered = differences.filter(({ word }) => word === 'underpowered').length;
  const without = differences.length - judged.length;
  const rest = [
    ...(equal > 0 ? [`${countText(equal, 'lies', 'lie')} within ±${settings.marginElo} Elo`] : []),
    ...(underpowered > 0 ? [`${countText(underpowered, 'is', 'are')} underpowered`] : []),
    ...(without > 0 ? [`${countText(without, 'has', 'have')} no interval`] : []),
  ];
  const others = rest.length > 0 ? `; ${rest.join(', ')}` : '';
  const named = largest(standing).map(
    ({ a, b, elo, amongPairs }) => `${a} over ${b} by ${eloText(elo)} (${signedIntervalText(amongPairs)})`,
  );
  const more = standing.length > NAMED ? `, and ${standing.length - NAMED} more` : '';
  const list = named.length > 0 ? `: ${named.join('; ')}${more}` : '';
  return [
    `${headOf(bench)}: ${standing.length} of ${countText(differences.length, 'difference')} between candidates ${stands(standing.length, differences.length)} at 95 %, all held at once${list}${others}.`,
  ];
}

/** `1 of 28 differences stands`, `0 of 1 difference stands`, `3 of 28 differences stand`. */
function stands(count: number, of: number): string {
  return count === 1 || of === 1 ? 'stands' : 'stand';
}

/** Differences are given with the better-ranked first. */
function largest(differences: readonly CandidateDifference[]): CandidateDifference[] {
  return differences.toSorted((one, other) => other.elo - one.elo).slice(0, NAMED);
}

function pipelineFindings({ benches, models }: PipelineRuns): string[] {
  const all = models.flatMap(({ runs }) => runs.flatMap((run) => run ?? []));
  const standing = all.filter(({ word }) => doesStand(word)).length;
  const where =
    benches.length === 1
      ? headOf(benches[0]!)
      : `${benches.length} runs of one comparison (${headOf(benches[0]!)} …)`;
  const sentences = [
    `Pipeline − raw, ${where}: ${standing} of ${countText(all.length, 'difference')} ${stands(standing, all.length)}; ${models.map(describeModel).join('; ')}.`,
  ];
  const mixed = models.filter(({ positive, negative }) => positive > 0 && negative > 0);
  if (mixed.length > 0) {
    sentences.push(
      `Pipeline − raw changes its sign between runs for ${mixed.map(({ model }) => model).join(', ')}: one run alone does not carry it.`,
    );
  }
  return sentences;
}

function describeModel({ model, runs, pooled }: ModelRuns): string {
  const each = runs.map((run) => signedEloText(run?.elo ?? null)).join(', ');
  const together = runs.length > 1 ? ` (all runs ${signedEloText(pooled?.elo ?? null)}` : ' (';
  return `${model} ${each}${together}${runs.length > 1 ? ', ' : ''}${signedIntervalText(pooled?.interval ?? null)})`;
}

/** A position bias is called at 5 % over all judges of the bench (Bonferroni); the p-values are each judge's own. */
function judgeFindings(bench: BenchReport): string[] {
  const { orders } = bench.conduct;
  const tests = orders.filter(({ positionBias: { pValue } }) => pValue !== null).length;
  return orders.flatMap(({ judge, flips, positionBias }) => {
    if (flips.share === null) return [];
    const { firstFirst, secondSecond, pValue } = positionBias;
    const called = `: a position bias${tests > 1 ? `, with ${tests} judges looked at` : ''}`;
    const bias =
      pValue === null
        ? ''
        : `; of the flipped ones ${firstFirst} named the first in both orders and ${secondSecond} the second (${pValueText(pValue)}${pValue * tests < 0.05 ? called : ''})`;
    return [
      `${headOf(bench)}: the judge ${judge} named opposite sides in ${flips.count} of ${countText(flips.of, 'match', 'matches')} (${shareText(flips.share, flips.of)})${bias}.`,
    ];
  });
}

function goldFindings(bench: BenchReport): string[] {
  const own = bench.rescores.find(({ isRuntime }) => isRuntime);
  if (!own) return [];
  const named = [...new Set(own.candidates.flatMap((score) => score.named))];
  const hitters = own.candidates.filter((score) => score.named.length > 0).length;
  const which = named.length > 0 ? ` (${named.join(', ')})` : '';
  return [
    `${headOf(bench)}: ${hitters} of ${countText(own.candidates.length, 'candidate')} named, taken together, ${named.length} of ${countText(own.size, 'entity', 'entities')} of ${own.name}${which}; the answers are public since ${own.publishedOn}.`,
  ];
}

function costOf({ summary }: BenchReport): number {
  return summary.totalCostUsd;
}
