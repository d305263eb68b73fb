import type { BenchReport } from '../../../core/report/bench-report';
import type { CandidateReport } from '../../../core/report/candidate-report';
import {
  costText,
  countsText,
  countText,
  durationText,
  eloText,
  intervalText,
  momentText,
  NONE,
  pValueText,
  rankText,
  shareText,
  signedEloText,
  signedIntervalText,
  tokensText,
  usdText,
} from '../../../core/report/figure-text';
import { exposureText, rescoreWords } from '../../../core/report/gold-rescore';
import { methodsText } from '../../../core/report/methods';
import { differenceCounts, qualificationsOf } from '../../../core/report/qualifications';
import { DIFFERENCE_WORDS, doesStand, TOO_FEW } from '../../../core/report/rating-words';
import { settingsOf } from '../../../core/report/settings';
import { whyUnrated } from '../../../core/report/why-unrated';
import { promptHashes } from '../report-options';
import { consistencyLines } from './consistency-section';
import { hypothesisLines } from './hypothesis-section';
import { code, codeBlock, inline, list, quote, table } from './markdown-text';
import { rubricLines } from './rubric-section';
import { sqlQueries } from './sql-queries';

const GOAL_CHARACTERS = 4000;

/** Everything about one bench, under a heading of its id. */
export function benchSection(report: BenchReport): string {
  return [
    `## ${report.benchId}`,
    stateLine(report),
    quote(report.goal, GOAL_CHARACTERS),
    '### Settings',
    table([{ name: 'setting' }, { name: 'value' }], settingsRows(report)),
    '### Candidates',
    ...candidateTables(report),
    ...differenceLines(report),
    ...pipelineLines(report),
    '### Judge',
    ...judgeLines(report),
    '### Gold sets',
    ...goldLines(report),
    '### Agreement between models',
    ...consistencyLines(report.consistency),
    ...rubricLines(report),
    '### Hypotheses',
    ...hypothesisLines(report),
    '### Files',
    ...fileLines(report),
    '### SQL',
    ...sqlQueries(report.benchId).map(({ title, sql }) => `${title}:\n\n${codeBlock('sql', sql)}`),
    '### Methods',
    inline(methodsText(report, promptHashes(report.plan))),
  ].join('\n\n');
}

function stateLine({ state, isSimulated, createdAt, finishedAt, failure, matches }: BenchReport): string {
  const ended = finishedAt ? `, ended ${momentText(finishedAt)}` : '';
  const made = isSimulated ? ' **Simulated: models, verdicts and dollars are made up.**' : '';
  const failed = failure ? ` Failure: ${inline(`${failure.kind}: ${failure.detail}`, 500)}.` : '';
  return `State ${state}, begun ${momentText(createdAt)}${ended}; ${matches.played} of ${countText(matches.scheduled, 'match', 'matches')} played.${made}${failed} The goal:`;
}

function settingsRows(report: BenchReport): string[][] {
  return settingsOf(report).map(([name, value]) => [inline(name), inline(value, 1000)]);
}

function candidateTables(report: BenchReport): string[] {
  const { candidates, ratings, plan } = report;
  const size = report.rescores.find(({ isRuntime }) => isRuntime)?.size ?? null;
  const right = 'right' as const;
  const ratingRows = candidates.map((candidate) => {
    const rating = ratings?.given.candidates.find((one) => one.candidate === candidate.label);
    return [
      rating?.rank === null || rating === undefined ? NONE : String(rating.rank),
      inline(candidate.label),
      candidate.mode,
      eloText(rating?.rating ?? null),
      rating?.whyNoInterval
        ? `no interval: ${TOO_FEW[rating.whyNoInterval]}`
        : intervalText(rating?.interval ?? null),
      rankText(rating?.rankLow ?? null, rating?.rankHigh ?? null),
      rating?.letters || NONE,
      `${candidate.wins}-${candidate.losses}-${candidate.ties}`,
      eloText(candidate.meanElo),
      ...(plan.goldSet === null ? [] : [goldCell(candidate, size)]),
      `${candidate.nHypotheses}/${candidate.nPlanned}`,
      countsText(candidate.failures),
    ];
  });
  return [
    table(
      [
        { name: '#', align: right },
        { name: 'candidate' },
        { name: 'mode' },
        { name: 'rating', align: right },
        { name: '95 % interval' },
        { name: 'rank' },
        { name: 'letters' },
        { name: 'W-L-T', align: right },
        { name: 'mean Elo', align: right },
        ...(plan.goldSet === null ? [] : [{ name: 'gold', align: right }]),
        { name: 'hypotheses', align: right },
        { name: 'failures' },
      ],
      ratingRows,
    ),
    spendingTable(report),
  ];
}

function spendingTable({ candidates, isSimulated }: BenchReport): string {
  const right = 'right' as const;
  return table(
    [
      { name: 'candidate' },
      { name: 'model' },
      { name: isSimulated ? 'simulated $' : 'cost', align: right },
      { name: 'tokens in', align: right },
      { name: 'out', align: right },
      { name: 'of these reasoning', align: right },
      { name: 'thinking' },
      { name: 'latency p50', align: right },
      { name: 'p95', align: right },
      { name: 'calls without an answer' },
    ],
    candidates.map((c) => [
      inline(c.label),
      inline(`${c.provider}:${c.model}`),
      costText(c),
      tokensText(c.inputTokens),
      tokensText(c.outputTokens),
      tokensText(c.reasoningTokens),
      String(c.thinking),
      c.latency ? durationText(c.latency.p50Ms) : NONE,
      c.latency ? durationText(c.latency.p95Ms) : NONE,
      countsText(c.unansweredCalls),
    ]),
  );
}

function goldCell({ goldHits }: CandidateReport, size: number | null): string {
  if (goldHits === null) return 'not scored';
  return size === null ? String(goldHits) : `${goldHits}/${size}`;
}

/** Those that stand, each with its interval; the rest are counted. */
function differenceLines(report: BenchReport): string[] {
  const { ratings } = report;
  const sentences = qualificationsOf(report).map((sentence) => inline(sentence));
  const notes = sentences.length > 0 ? [list(sentences)] : [];
  if (ratings === null) return [`Nothing is rated: ${whyUnrated(report)}.`, ...notes];
  const { differences, settings } = ratings.given;
  const standing = differences.filter(({ word }) => doesStand(word));
  const lines = [
    `Differences between candidates, all held at once at 95 %: ${differenceCounts(report)}. The margin for “no difference” is ±${settings.marginElo} Elo.`,
    ...notes,
  ];
  if (standing.length === 0) return lines;
  const right = 'right' as const;
  return [
    ...lines,
    table(
      [
        { name: 'better' },
        { name: 'than' },
        { name: 'by (Elo)', align: right },
        { name: '95 %, all at once' },
      ],
      standing.map(({ a, b, elo, amongPairs, word }) => {
        const isAsGiven = word === 'better';
        const [better, worse] = isAsGiven ? [a, b] : [b, a];
        const interval =
          amongPairs && !isAsGiven ? { low: -amongPairs.high, high: -amongPairs.low } : amongPairs;
        return [inline(better), inline(worse), eloText(Math.abs(elo)), intervalText(interval)];
      }),
    ),
  ];
}

function pipelineLines({ ratings }: BenchReport): string[] {
  const models = ratings?.pipelineMinusRaw?.models ?? [];
  if (models.length === 0) return [];
  const right = 'right' as const;
  const overall = ratings?.pipelineMinusRaw?.overall ?? null;
  const rows = [
    ...models.map((model) => ({ ...model, name: inline(model.model) })),
    ...(overall && models.length > 1 ? [{ ...overall, name: 'mean of these models' }] : []),
  ];
  return [
    '### Pipeline − raw',
    table(
      [
        { name: 'model' },
        { name: 'Elo', align: right },
        { name: '95 %' },
        { name: 'verdict' },
        { name: 'extra cost', align: right },
      ],
      rows.map(({ name, elo, interval, word, usd }) => [
        name,
        signedEloText(elo),
        signedIntervalText(interval),
        DIFFERENCE_WORDS[word],
        usd === null ? NONE : usdText(usd),
      ]),
    ),
  ];
}

function judgeLines({ judges, summary, conduct }: BenchReport): string[] {
  const right = 'right' as const;
  const { judge } = summary;
  const latency = judges.latency
    ? ` Latency of a verdict: p50 ${durationText(judges.latency.p50Ms)}, p95 ${durationText(judges.latency.p95Ms)}.`
    : '';
  const invalid = Object.keys(judges.invalid).length > 0 ? ` (${countsText(judges.invalid)})` : '';
  const line = `${countText(judge.verdicts, 'verdict')}, ${judge.invalid} could not be had${invalid}; reviews and verdicts cost ${usdText(judge.costUsd)}.${latency}`;
  const { orders } = conduct;
  if (orders.length === 0) return [line];
  return [
    line,
    table(
      [
        { name: 'judge' },
        { name: 'matches in both orders', align: right },
        { name: 'agreed', align: right },
        { name: 'half flips', align: right },
        { name: 'flips', align: right },
        { name: 'flips to the first', align: right },
        { name: 'to the second', align: right },
        { name: 'bias, exact binomial', align: right },
      ],
      orders.map(({ judge: name, matches, agreed, halfFlips, flips, positionBias }) => [
        inline(name),
        String(matches),
        shareText(agreed.share, matches),
        shareText(halfFlips.share, matches),
        shareText(flips.share, matches),
        String(positionBias.firstFirst),
        String(positionBias.secondSecond),
        positionBias.pValue === null ? NONE : pValueText(positionBias.pValue),
      ]),
    ),
  ];
}

function goldLines({ rescores }: BenchReport): string[] {
  const right = 'right' as const;
  return rescores.flatMap((set) => [
    `${code(set.name)} ${set.version}, ${rescoreWords(set)}: ${countText(set.size, 'entity', 'entities')}, public since ${set.publishedOn} (${inline(set.source)}); ${inline(exposureText(set))}. Chosen for: ${inline(set.criteria.join('; '))}.`,
    table(
      [
        { name: 'candidate' },
        { name: 'recall', align: right },
        { name: 'named' },
        { name: 'of these proposed' },
        { name: 'hypotheses that hit', align: right },
      ],
      set.candidates.map(({ label, named, proposed, hitting, hypotheses }) => [
        inline(label),
        `${named.length}/${set.size}`,
        inline(named.join(', ')) || NONE,
        inline(proposed.join(', ')) || NONE,
        `${hitting}/${hypotheses}`,
      ]),
    ),
  ]);
}

function fileLines({ benchId, session }: BenchReport): string[] {
  return [
    'Under `CO_SCIENTIST_HOME` (`data/` unless it is set); `co-scientist export` writes the same anywhere:',
    list([
      `${code(`artifacts/${session}/bench/${benchId}.json`)}: settings, summary, every match with its verdicts`,
      `${code(`artifacts/${session}/hypotheses/`)}: a file a slot, named below`,
      `${code(`artifacts/${session}/transcripts/`)}: every call as sent and received`,
      `${code(`reports/${benchId}.html`)}: the same as a page, with plots and every match`,
    ]),
  ];
}
