import { compareText } from '../compare-text';
import { formatModelRef } from '../model-ref';
import { replicatesOf } from '../replicates';
import type { ScipivotSummary } from '../scipivot/summary';
import type { BenchReport } from './bench-report';
import { costText, countsText, countText, shareText } from './figure-text';
import { NIGHT_SCORE_SENTENCE, nightScheduleSentence } from './night-methods';
import { isSessionsAlone, whyUnrated } from './why-unrated';

/**
 * The paragraph that a paper needs of a bench: who was compared on what, how, with which seed, prompts and prices,
 * what the figures are figures of, and what is missing. Plain text.
 * @param promptHashes SHA-256 by prompt; null where the words of that version are not at hand
 */
export function methodsText(
  report: BenchReport,
  promptHashes: Readonly<Record<string, string | null>>,
): string {
  const { scipivot } = report.summary;
  const asked = scipivot ? [scipivotSentence(scipivot)] : [];
  if (isSessionsAlone(report)) return [candidatesSentence(report), ...asked, costSentence(report)].join(' ');
  return [
    candidatesSentence(report),
    generationSentence(report),
    scheduleSentence(report),
    judgeSentence(report),
    promptSentence(report, promptHashes),
    ratingSentence(report),
    ...goldSentence(report),
    missingSentence(report),
    ...asked,
    costSentence(report),
  ].join(' ');
}

function candidatesSentence({
  plan,
  createdAt,
  finishedAt,
  reportedModels,
  isSimulated,
  night,
}: BenchReport): string {
  const named = plan.candidates.map((candidate) => {
    const asked = formatModelRef(candidate);
    const reported = (reportedModels[asked] ?? []).filter((name) => name !== candidate.model);
    const as = reported.length > 0 ? `, answered as ${reported.join(' and ')}` : '';
    const mode = plan.n === 0 ? '' : `, ${candidate.mode}`;
    return `${candidate.label} (${asked}${mode}${as})`;
  });
  const days = [createdAt, finishedAt ?? createdAt].map((moment) => moment.slice(0, 10));
  const when = days[0] === days[1] ? `On ${days[0]}` : `From ${days[0]} to ${days[1]}`;
  const made = isSimulated ? ' All models were simulated.' : '';
  const what = night ? 'held against a frozen panel on one goal' : 'compared on one goal';
  const done = plan.n === 0 ? 'asked a data set of SciΠvot' : what;
  return `${when}, ${countText(named.length, 'candidate')} ${named.length === 1 ? 'was' : 'were'} ${done}: ${named.join('; ')}.${made}`;
}

function generationSentence({ plan }: BenchReport): string {
  const { n, generation, thinking, literature } = plan;
  const modes = new Set(plan.candidates.map(({ mode }) => mode));
  const runs = replicatesOf(plan);
  const again = runs > 1 ? `, in each of ${runs} runs one after the other` : '';
  const parts = [`Each wrote ${countText(n, 'hypothesis', 'hypotheses')} independently${again}`];
  if (modes.has('pipeline')) {
    parts.push(
      `pipeline candidates with literature tools (${literature}) in at most ${generation.maxTurns} turns and ${generation.maxToolCalls} tool calls`,
    );
  }
  if (modes.has('direct')) parts.push('direct candidates in one call without tools');
  const thought =
    thinking === 'off' ? 'off' : `${thinking} tokens for Anthropic’s models, off for the others`;
  return `${parts.join(', ')} (at most ${generation.maxOutputTokens} output tokens a call; thinking ${thought}).`;
}

function scheduleSentence({ plan, seed, night, matches: { scheduled } }: BenchReport): string {
  if (night) return nightScheduleSentence(plan, night);
  if (scheduled === 0) return plan.matches === 0 ? 'No match was planned.' : 'No match is scheduled yet.';
  const inRun = replicatesOf(plan) > 1 ? ' a run' : '';
  return `Every pair of candidates was scheduled for ${countText(plan.matches, 'match', 'matches')}${inRun} (${scheduled} in all), their hypotheses dealt in turn from seed ${seed}, before any was judged.`;
}

function judgeSentence({ plan, reportedModels, conduct, night }: BenchReport): string {
  const names = plan.judges.map((judge) => {
    const asked = formatModelRef(judge);
    const reported = (reportedModels[asked] ?? []).filter((name) => name !== judge.model);
    return reported.length > 0 ? `${asked} (answered as ${reported.join(' and ')})` : asked;
  });
  const orders =
    plan.orders === 'both'
      ? 'in both orders; opposite verdicts count as a tie'
      : 'in one order each, alternating';
  const flips = conduct.orders.map(
    ({ flips: { count, of, share } }) => `${count} of ${of}, ${shareText(share, of)}`,
  );
  const flipped = plan.orders === 'both' && flips.length > 0 ? ` (${flips.join('; ')} were)` : '';
  const reviewer = plan.reviewer
    ? `; every ${night ? 'fresh ' : ''}hypothesis was first reviewed by ${formatModelRef(plan.reviewer)}${night ? ', those of the panel as in their own bench' : ''}`
    : '';
  const debate =
    plan.verdictMode === 'debate'
      ? `, after a debate of ${countText(plan.debateTurns, 'turn')} a side held by the judge’s model`
      : '';
  const view = plan.judgeView === 'full' ? '' : ', shown the texts alone';
  return `Matches were judged by ${names.join(', ')}, told nothing of labels, models or modes${view}${debate}, ${orders}${flipped}${reviewer}.`;
}

function promptSentence({ plan }: BenchReport, hashes: Readonly<Record<string, string | null>>): string {
  const named = Object.entries(plan.prompts)
    .sort(([one], [other]) => compareText(one, other))
    .map(([name, version]) => {
      const hash = hashes[name];
      return `${name} ${version}${hash ? ` (${hash.slice(0, 12)})` : ''}`;
    });
  return `Prompts, with versions and the first digits of their SHA-256: ${named.join(', ')}.`;
}

function ratingSentence(report: BenchReport): string {
  const { ratings } = report;
  if (ratings === null) {
    const score = report.night ? ` ${NIGHT_SCORE_SENTENCE}` : '';
    return `There are no ratings: ${whyUnrated(report)}.${score}`;
  }
  const { settings } = ratings.given;
  const prior = settings.prior
    ? `; as not all candidates won and lost against the rest, a virtual tie of weight ${settings.prior.weight} was added to each`
    : '';
  return `Ratings are Bradley–Terry strengths on the Elo scale (mean ${settings.mean}; a tie is half a win)${prior}; the estimand is the chance that a fresh hypothesis of one candidate is judged better than a fresh one of another, by this judge and these prompts. Intervals are 95 %, with hypotheses as clusters; differences, and the ranks made from them, hold all at once (largest |t| over pairs; Tukey, Games and Howell); “no difference” means an interval inside ±${settings.marginElo} Elo.`;
}

function goldSentence({ rescores, plan }: BenchReport): string[] {
  const own = rescores.find(({ isRuntime }) => isRuntime);
  if (!own) return [];
  const withheld =
    plan.goldSources === 'withhold' ? 'its sources withheld from the tools' : 'its sources open to the tools';
  return [
    `Recall is the share of the ${countText(own.size, 'entity', 'entities')} of the gold set ${own.name} (version ${own.version}; ${own.source}; public since ${own.publishedOn}, ${withheld}) that a candidate’s hypotheses name, by whole words.`,
  ];
}

function missingSentence({ matches, judges, candidates }: BenchReport): string {
  const { scheduled, played, unplayed } = matches;
  const lost: Record<string, number> = {};
  for (const { failures } of candidates) {
    for (const [kind, count] of Object.entries(failures)) lost[kind] = (lost[kind] ?? 0) + count;
  }
  const invalid = Object.values(judges.invalid).reduce((sum, count) => sum + count, 0);
  const why = played < scheduled ? ` (unplayed: ${countsText(unplayed)})` : '';
  const slots =
    Object.keys(lost).length > 0 ? `slots without a hypothesis: ${countsText(lost)}` : 'no slot failed';
  return `Of ${countText(scheduled, 'match', 'matches')} ${played} were played${why}; ${countText(invalid, 'verdict')} could not be had; ${slots}. What failed is in no rating and counts as no zero.`;
}

/** Every session is a call of its own, whatever the candidate's mode. */
function scipivotSentence({ dataSet, nCases, promptsSha256, isPinned, subjects }: ScipivotSummary): string {
  const pin = isPinned ? 'pinned' : 'unpinned';
  const bootstrap = subjects.find(({ score }) => score !== null)?.score?.bootstrap;
  const intervals = bootstrap
    ? ` Intervals are 95 %, percentiles of ${bootstrap.resamples} resamples of cases; differences are paired and hold all at once.`
    : '';
  return `SciΠvot, options only: each was asked ${countText(nCases, 'case')} of ${dataSet} (${pin}; SHA-256 of the prompts ${promptsSha256.slice(0, 12)}) in both orders, every session a call of its own; an answer that could not be had or read is wrong.${intervals}`;
}

function costSentence({ summary, plan, isSimulated }: BenchReport): string {
  const cost = costText({ ...summary, costUsd: summary.totalCostUsd });
  const made = isSimulated ? ' simulated' : '';
  return `The bench cost ${cost}${made}, as providers reported it or by the price table of ${plan.priceTable.asOf}.`;
}
