import { formatModelRef } from '../../../core/model-ref';
import { sideAt } from '../../../core/outcome';
import { replicatesOf } from '../../../core/replicates';
import type { RecordedBench } from '../../../core/report/recorded-bench';

/** What a cell may hold; null is an empty cell, lists are JSON. */
export type Cell = string | number | boolean | null;

export interface Column<Row> {
  name: string;
  /** What it means and in which unit, for the guide. */
  meaning: string;
  value: (row: Row) => Cell;
}

/** A table of one file: a row of names, then rows in a fixed order. */
export interface CsvTable<Row = unknown> {
  name: string;
  about: string;
  columns: readonly Column<Row>[];
  rows: (bench: RecordedBench) => Row[];
}

const column = <Row>(name: string, meaning: string, value: (row: Row) => Cell): Column<Row> => ({
  name,
  meaning,
  value,
});

type OfBench<T> = T & { benchId: string };
const benchColumn = <T>() => column<OfBench<T>>('bench_id', 'the bench', ({ benchId }) => benchId);

const within = <T>(bench: RecordedBench, rows: readonly T[]): OfBench<T>[] =>
  rows.map((row) => ({ ...row, benchId: bench.run.benchId }));

const runs: CsvTable<RecordedBench> = {
  name: 'runs',
  about: 'A row a bench.',
  rows: (bench) => [bench],
  columns: [
    column('bench_id', 'the bench', ({ run }) => run.benchId),
    column('state', 'planned, running, paused, finished, failed or cancelled', ({ run }) => run.state),
    column('simulated', 'models, verdicts and dollars are made up', ({ run }) => run.plan.isSimulated),
    column('preset', 'name of the preset; empty: none', ({ run }) => run.preset),
    column('goal', 'the research goal', ({ run }) => run.goal),
    column('gold_set', 'answer key it was scored against', ({ run }) => run.goldSet),
    column('seed', 'of schedule and ratings', ({ run }) => run.seed),
    column('session', 'folder of its artifacts', ({ run }) => run.session),
    column('n', 'planned hypotheses a candidate and run', ({ run }) => run.plan.n),
    column('matches_a_pair', 'planned, a run', ({ run }) => run.plan.matches),
    column('judges', 'JSON list of provider:model', ({ run }) =>
      JSON.stringify(run.plan.judges.map(formatModelRef)),
    ),
    column('reviewer', 'provider:model', ({ run }) => run.plan.reviewer && formatModelRef(run.plan.reviewer)),
    column('created_at', 'RFC 3339, UTC', ({ run }) => run.createdAt),
    column('finished_at', 'RFC 3339, UTC', ({ run }) => run.finishedAt),
    column('total_cost_usd', 'sum of the known costs', ({ run }) => run.summary?.totalCostUsd ?? null),
    column('n_unknown_cost', 'calls of unknown cost', ({ run }) => run.summary?.nUnknownCost ?? null),
    column(
      'in_doubt_usd',
      'bounds of calls that may have been billed',
      ({ run }) => run.summary?.inDoubtUsd ?? null,
    ),
    column(
      'flip_rate',
      'flips over played matches, 0 to 1; of a panel over its judges; empty: one order each, or unknown',
      ({ run }) => run.summary?.judge.flipRate ?? null,
    ),
    column('replicates', 'runs, each with fresh hypotheses', ({ run }) => replicatesOf(run.plan)),
    column('orders', 'both or balanced', ({ run }) => run.plan.orders),
    column('verdict_mode', 'single or debate', ({ run }) => run.plan.verdictMode),
  ],
};

type CandidateRow = OfBench<RecordedBench['candidates'][number]>;
const candidates: CsvTable<CandidateRow> = {
  name: 'candidates',
  about: 'A row a candidate of a bench, in the order of the plan.',
  rows: (bench) => within(bench, bench.candidates),
  columns: [
    benchColumn(),
    column('candidate_id', '<bench>/<label>', ({ id }) => id),
    column('label', 'its name in the bench', ({ label }) => label),
    column('provider', 'who serves the model', ({ provider }) => provider),
    column('model', 'as asked for', ({ model }) => model),
    column('mode', 'pipeline or direct', ({ mode }) => mode),
    column('state', 'how far it is', ({ state }) => state),
    column('n_planned', 'planned hypotheses', ({ nPlanned }) => nPlanned),
    column('n_hypotheses', 'kept', ({ nHypotheses }) => nHypotheses),
    column('wins', 'matches', ({ wins }) => wins),
    column('losses', 'matches', ({ losses }) => losses),
    column('ties', 'matches', ({ ties }) => ties),
    column('rating', 'Bradley–Terry, mean 1000', ({ btElo }) => btElo),
    column('rating_low', '95 %, looked at alone', ({ btLow }) => btLow),
    column('rating_high', '95 %, looked at alone', ({ btHigh }) => btHigh),
    column('mean_elo', 'sequential Elo, mean over its hypotheses', ({ meanElo }) => meanElo),
    column('top_elo', 'its best hypothesis', ({ topElo }) => topElo),
    column('gold_hits', 'entities named; empty: not scored', ({ goldHits }) => goldHits),
    column('gold_hit_names', 'joined by commas', ({ goldHitNames }) => goldHitNames),
    column('cost_usd', 'sum of the known costs', ({ totalCostUsd }) => totalCostUsd),
    column('n_unknown_cost', 'calls of unknown cost', ({ nUnknownCost }) => nUnknownCost),
    column('in_doubt_usd', 'bounds of calls that may have been billed', ({ inDoubtUsd }) => inDoubtUsd),
    column('input_tokens', 'over its calls', ({ inputTokens }) => inputTokens),
    column('output_tokens', 'over its calls, reasoning included', ({ outputTokens }) => outputTokens),
  ],
};

type HypothesisRow = OfBench<RecordedBench['hypotheses'][number]>;
const hypotheses: CsvTable<HypothesisRow> = {
  name: 'hypotheses',
  about: 'A row a slot, failed and duplicate ones too; texts as they came, line breaks included.',
  rows: (bench) => within(bench, bench.hypotheses),
  columns: [
    benchColumn(),
    column('hypothesis_id', '<candidate>/<k>', ({ id }) => id),
    column('candidate_id', '<bench>/<label>', ({ candidateId }) => candidateId),
    column('k', 'slot, from 1', ({ k }) => k),
    column('public_id', 'name of its file', ({ publicId }) => publicId),
    column('state', 'how far it is', ({ state }) => state),
    column('failure_kind', 'why it brought none', ({ failureKind }) => failureKind),
    column('draft_kind', 'original, or nudged after a duplicate', ({ draftKind }) => draftKind),
    column('duplicate_of', 'hypothesis it is too similar to', ({ duplicateOf }) => duplicateOf),
    column('elo', 'sequential Elo', ({ elo }) => elo),
    column('title', 'one line', ({ record }) => record?.title ?? null),
    column('summary', 'two to four sentences', ({ record }) => record?.summary ?? null),
    column('full_text', 'the whole argument', ({ record }) => record?.fullText ?? null),
    column('mechanism', 'how it works', ({ record }) => record?.mechanism ?? null),
    column('falsification', 'what would prove it wrong', ({ record }) => record?.falsification ?? null),
    column('entities', 'JSON list', ({ record }) => record && JSON.stringify(record.entities)),
    column(
      'citations',
      'JSON list of {url, title, excerpt}',
      ({ record }) => record && JSON.stringify(record.citations),
    ),
    column(
      'n_unsupported',
      'citations seen in no tool’s answer',
      (h) => h.unsupportedCitations?.length ?? null,
    ),
    column('n_tool_calls', 'literature calls', ({ toolCalls }) => toolCalls.length),
    column('review', 'JSON; empty: none', ({ review }) =>
      review?.review ? JSON.stringify(review.review) : null,
    ),
  ],
};

type MatchRow = OfBench<RecordedBench['matches'][number]>;
const matches: CsvTable<MatchRow> = {
  name: 'matches',
  about: 'A row a scheduled match, in schedule order.',
  rows: (bench) => within(bench, bench.matches),
  columns: [
    benchColumn(),
    column('match_id', '<bench>/m<index>', ({ id }) => id),
    column('index', 'place in the schedule, from 0', ({ index }) => index),
    column('candidate_a', 'side a', ({ candA }) => candA),
    column('candidate_b', 'side b', ({ candB }) => candB),
    column('hypothesis_a', 'its slot', ({ hypA }) => hypA),
    column('hypothesis_b', 'its slot', ({ hypB }) => hypB),
    column('state', 'planned, played or unplayed', ({ state }) => state),
    column('reason', 'why it is unplayed', ({ reason }) => reason),
    column('winner', 'a, b or tie', ({ winner }) => winner),
    column('score_a', 'mean of its verdicts, 0 to 1; ratings use this one', ({ scoreA }) => scoreA),
    column(
      'agreement',
      'agreed, half_flip or flip; empty: one order, or a panel',
      ({ agreement }) => agreement,
    ),
    column('judge_cost_usd', 'known costs of its verdicts', ({ judgeCostUsd }) => judgeCostUsd),
    column('one_order', 'ab or ba: judged in that order only; empty: in both', ({ oneOrder }) => oneOrder),
  ],
};

type VerdictRow = OfBench<RecordedBench['matches'][number]['verdicts'][number] & { matchId: string }>;
const verdicts: CsvTable<VerdictRow> = {
  name: 'verdicts',
  about: 'A row a verdict: one judge, one match, one order.',
  rows: (bench) =>
    within(
      bench,
      bench.matches.flatMap((match) => match.verdicts.map((verdict) => ({ ...verdict, matchId: match.id }))),
    ),
  columns: [
    benchColumn(),
    column('match_id', 'the match', ({ matchId }) => matchId),
    column('order', 'ab: side a was shown first', ({ order }) => order),
    column('judge', 'provider:model', ({ judge }) => judge),
    column('state', 'valid or invalid', ({ state }) => state),
    column('winner_position', 'first, second or tie', ({ winnerPosition }) => winnerPosition),
    column(
      'winner',
      'the same as a, b or tie',
      ({ order, winnerPosition }) => winnerPosition && sideAt(order, winnerPosition),
    ),
    column('reason', 'why it could not be had', ({ reason }) => reason),
    column('rationale', 'the judge’s words', ({ rationale }) => rationale),
    column(
      'scores',
      'JSON list of {criterion, first, second}',
      ({ scores }) => scores && JSON.stringify(scores),
    ),
    column('call_key', 'the call it came from', ({ callKey }) => callKey),
    column('repeat', '0: it counts; from 1: asked again in the same order', ({ repeat }) => repeat),
  ],
};

type CallRow = OfBench<RecordedBench['calls'][number]>;
const calls: CsvTable<CallRow> = {
  name: 'calls',
  about: 'A row an attempt at a call to a model, by key and attempt; its words are in the transcripts.',
  rows: (bench) => within(bench, bench.calls),
  columns: [
    benchColumn(),
    column('key', 'the call’s place in the bench', ({ key }) => key),
    column('attempt', 'from 1', ({ attempt }) => attempt),
    column('kind', 'probe, generation, review, judge, debate, scipivot or rubric', ({ kind }) => kind),
    column('provider', 'who serves the model', ({ provider }) => provider),
    column('model', 'as asked for', ({ model }) => model),
    column('reported_model', 'as the answer names it', ({ reportedModel }) => reportedModel),
    column('state', 'sent, settled, failed, in_doubt or superseded', ({ state }) => state),
    column('failure_kind', 'why there is no answer', ({ failureKind }) => failureKind),
    column('http_status', 'of the answer', ({ httpStatus }) => httpStatus),
    column('cost_usd', 'reported, else computed; empty: unknown', ({ costUsd }) => costUsd),
    column('reported_usd', 'what the provider says', ({ reportedUsd }) => reportedUsd),
    column('computed_usd', 'tokens × the price table', ({ computedUsd }) => computedUsd),
    column('bound_usd', 'the most it could cost', ({ boundUsd }) => boundUsd),
    column('charged_usd', 'what it holds of its budgets', ({ chargedUsd }) => chargedUsd),
    column('input_tokens', 'cached ones included', ({ inputTokens }) => inputTokens),
    column('cached_input_tokens', 'part of the input', ({ cachedInputTokens }) => cachedInputTokens),
    column('output_tokens', 'reasoning included', ({ outputTokens }) => outputTokens),
    column('reasoning_tokens', 'part of the output', ({ reasoningTokens }) => reasoningTokens),
    column('latency_ms', 'from sent to ended', ({ latencyMs }) => latencyMs),
    column('sent_at', 'RFC 3339, UTC', ({ sentAt }) => sentAt),
    column('ended_at', 'RFC 3339, UTC', ({ endedAt }) => endedAt),
    column('request_bytes', 'UTF-8', ({ requestBytes }) => requestBytes),
    column('request_sha256', 'of the request as sent', ({ requestSha256 }) => requestSha256),
  ],
};

/** Rows of a table as cells, in the order of its columns. */
export interface CellTable {
  name: string;
  about: string;
  columns: readonly { name: string; meaning: string }[];
  cells: (bench: RecordedBench) => Cell[][];
}

export const CSV_TABLES: readonly CellTable[] = [
  asCells(runs),
  asCells(candidates),
  asCells(hypotheses),
  asCells(matches),
  asCells(verdicts),
  asCells(calls),
];

function asCells<Row>({ name, about, columns, rows }: CsvTable<Row>): CellTable {
  return {
    name,
    about,
    columns,
    cells: (bench) => rows(bench).map((row) => columns.map(({ value }) => value(row))),
  };
}
