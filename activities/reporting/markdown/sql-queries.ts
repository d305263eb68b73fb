/** A query to copy into psql, over the rows of one bench. */
export interface BenchQuery {
  title: string;
  sql: string[];
}

/** @param benchId `bnc_` and a ULID, so safe to stand in a query */
export function sqlQueries(benchId: string): BenchQuery[] {
  return [
    {
      title: 'Per candidate',
      sql: [
        'SELECT label, mode, n_hypotheses, wins, losses, ties,',
        '       round(mean_elo, 0) AS mean_elo, gold_hits, gold_hit_names,',
        '       round(total_cost_usd, 4) AS cost_usd, total_input_tok, total_output_tok',
        '  FROM bench_candidates',
        ` WHERE bench_id = '${benchId}'`,
        ' ORDER BY mean_elo DESC NULLS LAST, position;',
      ],
    },
    {
      title: 'Every match with the judge’s rationale',
      sql: [
        'SELECT m.index, a.label AS a, b.label AS b, m.winner, m.agreement,',
        '       round(m.judge_cost_usd, 4) AS cost_usd, substr(m.rationale, 1, 200) AS rationale',
        '  FROM bench_matches m',
        '  JOIN bench_candidates a ON a.id = m.cand_a',
        '  JOIN bench_candidates b ON b.id = m.cand_b',
        ` WHERE m.bench_id = '${benchId}'`,
        ' ORDER BY m.index;',
      ],
    },
    {
      title: 'Every hypothesis',
      sql: [
        'SELECT c.label, h.k, h.state, h.failure_kind, round(h.elo, 0) AS elo, h.public_id, h.title',
        '  FROM bench_hypotheses h',
        '  JOIN bench_candidates c ON c.id = h.candidate_id',
        ` WHERE h.bench_id = '${benchId}'`,
        ' ORDER BY c.position, h.k;',
      ],
    },
    {
      title: 'What calls cost and how long they took, by kind and model',
      sql: [
        'SELECT kind, provider, model, state, count(*) AS calls, round(sum(cost_usd), 4) AS cost_usd,',
        '       percentile_cont(0.5) WITHIN GROUP (ORDER BY latency_ms) AS p50_ms,',
        '       percentile_cont(0.95) WITHIN GROUP (ORDER BY latency_ms) AS p95_ms',
        '  FROM bench_llm_calls',
        ` WHERE bench_id = '${benchId}'`,
        ' GROUP BY kind, provider, model, state',
        ' ORDER BY kind, provider, model, state;',
      ],
    },
  ];
}
