import { askedVerdicts } from '../asked-verdicts';
import type { BenchSummary } from '../bench-summary';
import { compareText } from '../compare-text';
import { findGoldHits, type GoldSet } from '../gold-set';
import { benchScope, turnKeys } from '../ids';
import { isKept } from '../kept';
import { formatModelRef } from '../model-ref';
import { outcomeOf, type Verdict } from '../outcome';
import { computeCostUsd, sumUsd } from '../prices';
import type { BenchRatings } from '../ratings/rate-bench';
import { summariseBench } from '../summarise-bench';
import { isConductUnkept } from '../unkept-conduct';
import { chargeDifferences } from './charge-differences';
import { callsOfScope } from './costs';
import { type Difference, differencesBetween, differingFigures, FITTED } from './difference';
import { factsOfRecord } from './facts-of-record';
import type { RecordedBench, RecordedCall, RecordedMatch, RecordedVerdict } from './recorded-bench';
import { makeRescore } from './stored-rescore';
import { usedPrices } from './versions';

/**
 * Every figure of a bench made again from the raw verdicts, hypotheses and calls, and every place at which what is
 * stored says otherwise. Ratings are replayed over outcomes made anew, not over the stored ones.
 * @param goldSet the set by which it was scored; null where there is none, or it is not known here
 */
export function checkFigures(record: RecordedBench, goldSet: GoldSet | null): Difference[] {
  const judges = record.run.plan.judges.map(formatModelRef);
  const matches = record.matches.map((match) => ({
    match,
    recomputed: replayMatch(match, judges, record.calls),
  }));
  const replayed: RecordedBench = { ...record, matches: matches.map(({ recomputed }) => recomputed) };
  return [
    ...matches.flatMap(({ match, recomputed }) => matchDifferences(match, recomputed)),
    ...resultDifferences(replayed),
    ...goldDifferences(record, goldSet),
    ...rescoreDifferences(record),
    ...budgetDifferences(record),
    ...callDifferences(record),
  ];
}

/**
 * The match as its verdicts have it. A state that needs no verdict (not played yet, no hypothesis) is taken as it is;
 * so is a drop, which leaves a match unplayed even where its verdicts, out at that moment, still came.
 */
function replayMatch(
  match: RecordedMatch,
  judges: readonly string[],
  calls: readonly RecordedCall[],
): RecordedMatch {
  const asked = askedVerdicts(judges.length, match.oneOrder);
  const counted = match.verdicts.filter(({ repeat }) => repeat === 0);
  const heard = asked.flatMap(({ judge, order }) => {
    const found = counted.find((verdict) => verdict.judge === judges[judge] && verdict.order === order);
    return found ? [{ judge, order, found, verdict: verdictOf(found) }] : [];
  });
  const isDropped = match.state === 'unplayed' && match.reason === 'dropped';
  if (isDropped || heard.length < asked.length || counted.length !== asked.length) {
    // Some verdicts alone decide nothing: no outcome may stand.
    return { ...match, winner: null, scoreA: null, agreement: null, state: undecided(match) };
  }
  const outcome = outcomeOf(heard);
  return {
    ...match,
    state: outcome.state,
    reason: outcome.state === 'unplayed' ? outcome.reason : null,
    winner: outcome.state === 'played' ? outcome.winner : null,
    scoreA: outcome.state === 'played' ? outcome.scoreA : null,
    agreement: outcome.state === 'played' ? outcome.agreement : null,
    rationale: heard.map(({ found }) => found.rationale ?? '').join('\n\n'),
    judgeCostUsd: costsOfKeys(
      calls,
      heard.flatMap(({ found }) => turnKeys(found.callKey)),
    ),
  };
}

function undecided({ state }: RecordedMatch): RecordedMatch['state'] {
  return state === 'played' ? 'planned' : state;
}

function verdictOf({ state, winnerPosition, reason }: RecordedVerdict): Verdict {
  return state === 'valid' && winnerPosition !== null
    ? { state: 'valid', winner: winnerPosition }
    : { state: 'invalid', reason: reason ?? 'unreadable' };
}

/** Sum of what is known; null when nothing is. */
function costsOfKeys(calls: readonly RecordedCall[], keys: readonly string[]): number | null {
  const known = keys.flatMap((key) => callsOfKey(calls, key)).flatMap(({ costUsd }) => costUsd ?? []);
  return known.length === 0 ? null : sumUsd(known);
}

/** Calls are in the order of their keys: found by halving, since there are tens of thousands. */
function callsOfKey(calls: readonly RecordedCall[], key: string): RecordedCall[] {
  let low = 0;
  let high = calls.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compareText(calls[middle]!.key, key) < 0) low = middle + 1;
    else high = middle;
  }
  const found: RecordedCall[] = [];
  for (let i = low; calls[i]?.key === key; i++) found.push(calls[i]!);
  return found;
}

function matchDifferences(stored: RecordedMatch, recomputed: RecordedMatch): Difference[] {
  const { verdicts: _, ...ownStored } = stored;
  const { verdicts: __, ...ownRecomputed } = recomputed;
  return differencesBetween(stored.id, ownStored, ownRecomputed);
}

/** Elo of hypotheses, candidates' rows and the summary: written when a bench ends, so checked where it has. */
function resultDifferences(replayed: RecordedBench): Difference[] {
  const { summary } = replayed.run;
  if (summary === null) return [];
  const facts = factsOfRecord(replayed, summary.status);
  const recomputed = summariseBench(facts);
  const byLabel = new Map(recomputed.candidates.map((row) => [row.label, row]));
  return [
    ...summaryDifferences(summary, recomputed),
    ...ratingDifferences(replayed.run.ratings, facts.ratings),
    ...replayed.hypotheses.flatMap(({ id, elo }) =>
      differingFigures(id, { elo: [elo, facts.elo.get(id) ?? null] }),
    ),
    ...replayed.candidates.flatMap((candidate) => {
      const row = byLabel.get(candidate.label);
      if (!row) return differingFigures(candidate.id, { label: [candidate.label, undefined] });
      return differingFigures(candidate.id, {
        nHypotheses: [candidate.nHypotheses, row.nHypotheses],
        wins: [candidate.wins, row.wins],
        losses: [candidate.losses, row.losses],
        ties: [candidate.ties, row.ties],
        meanElo: [candidate.meanElo, row.meanElo],
        topElo: [candidate.topElo, row.topElo],
        btElo: [candidate.btElo, row.rating],
        btLow: [candidate.btLow, row.ratingLow],
        btHigh: [candidate.btHigh, row.ratingHigh],
        goldHits: [candidate.goldHits, row.goldHits],
        goldHitNames: [candidate.goldHitNames, row.goldHitNames?.join(', ') ?? null],
        totalCostUsd: [candidate.totalCostUsd, row.costUsd],
        nUnknownCost: [candidate.nUnknownCost, row.nUnknownCost],
        inDoubtUsd: [candidate.inDoubtUsd, row.inDoubtUsd],
        inputTokens: [candidate.inputTokens, row.inputTokens],
        outputTokens: [candidate.outputTokens, row.outputTokens],
      });
    }),
  ];
}

/** Pipeline − raw may be next to nothing, where only a fit's tolerance tells whether two are one. */
function summaryDifferences(
  { pipelineMinusRaw: stored, ...figures }: BenchSummary,
  recomputed: BenchSummary,
): Difference[] {
  const isUnkept = isConductUnkept({ pipelineMinusRaw: stored, ...figures });
  return [
    ...differencesBetween('summary', figures, recomputed).filter(
      // What nobody counted contradicts nothing.
      ({ field, stored: said }) => !(isUnkept && said === null && CONDUCT.test(field)),
    ),
    // Summaries of old have none.
    ...(stored === undefined
      ? []
      : differencesBetween(
          'summary',
          { pipelineMinusRaw: stored },
          { pipelineMinusRaw: asStored(recomputed.pipelineMinusRaw) },
          FITTED,
        )),
  ];
}

/** How was judged, of all judges, of each, and of each two. */
const CONDUCT = /^(judge\.|judges\[|agreements$|flags$)/;

function ratingDifferences(stored: BenchRatings | null, recomputed: BenchRatings | null): Difference[] {
  return differencesBetween('ratings', stored, asStored(recomputed), FITTED).filter(
    // Programs of old knew no costs, and left open what the next dollar should buy: that contradicts nothing.
    ({ field, stored: said }) => !(field === 'variances.nextDollar' && said === null),
  );
}

/** As JSON keeps it: what is infinite is null there. */
function asStored(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

/** The hypotheses held against the set once more. */
function goldDifferences(record: RecordedBench, goldSet: GoldSet | null): Difference[] {
  const { run, hypotheses, goldHits } = record;
  if (goldSet === null || run.summary === null || run.plan.goldSet !== goldSet.name) return [];
  return hypotheses.flatMap(({ id, state, record: text }) => {
    const found = text && isKept({ state }) ? findGoldHits(goldSet, text) : [];
    const stored = goldHits.filter((hit) => hit.hypothesisId === id && hit.goldSet === goldSet.name);
    const describe = (hit: { entity: string; alias: string; field: string; kind: string; excerpt: string }) =>
      `${hit.field}: ${hit.entity} as ${hit.alias}, ${hit.kind}: ${hit.excerpt}`;
    return differingFigures(id, {
      goldHits: [stored.map(describe).sort(compareText), found.map(describe).sort(compareText)],
    });
  });
}

/** Every rescore once more, by the set that is kept with it. */
function rescoreDifferences(record: RecordedBench): Difference[] {
  return record.rescores.flatMap(({ goldSet, origin, candidates, hits }) => {
    const again = makeRescore(record, goldSet, origin);
    return differingFigures(`rescore ${goldSet.name} ${goldSet.version}`, {
      candidates: [candidates, again.candidates],
      hits: [hits, again.hits],
    });
  });
}

function budgetDifferences({ budgets, calls }: RecordedBench): Difference[] {
  return budgets.flatMap(({ id, heldUsd }) =>
    differingFigures(`budget ${id}`, {
      heldUsd: [heldUsd, sumUsd(callsOfScope(calls, id).map(({ chargedUsd }) => chargedUsd))],
    }),
  );
}

/** A call's own sums; its tokens × the price its plan had, where both are known. */
function callDifferences({ run, calls }: RecordedBench): Difference[] {
  const prices = usedPrices(run.plan);
  return calls.flatMap((call) => {
    const { state, reportedUsd, computedUsd } = call;
    const price = prices[formatModelRef(call)];
    const isAnswered = state === 'settled' || state === 'superseded';
    return [
      ...chargeDifferences(call),
      ...differingFigures(`${call.key}#${call.attempt}`, {
        isChargedToBench: [call.scopeIds.includes(benchScope(run.benchId)), true],
        ...(price && isAnswered
          ? { computedUsd: [computedUsd, computeCostUsd(price, { ...call, reportedCostUsd: reportedUsd })] }
          : {}),
      }),
    ];
  });
}
