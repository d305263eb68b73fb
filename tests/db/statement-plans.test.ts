import { sql } from 'kysely';
import { findBench } from '../../db/benches';
import { readJudgedMatch } from '../../db/judged-match';
import { failCall, renewLease } from '../../db/ledger';
import { admitCall, admitFirst } from '../../db/ledger-admission';
import { saveSchedule } from '../../db/matches';
import { findToolCall, saveToolAnswer, saveToolCalls } from '../../db/tool-calls';
import { type StoredVerdict, saveVerdict } from '../../db/verdicts';
import { testDatabaseOfFile } from '../stack/test-database';
import { answer, intent, LIMITS, readSent, settle } from './ledger-calls';
import { seedBench, smallPlan } from './seed-bench';

const db = testDatabaseOfFile().open('worker', { maxConnections: 1 });

/** Runs of a statement: by then it is prepared, and its one plan made. */
const RUNS = 12;
const TABLES = ['bench_budgets', 'bench_llm_calls', 'bench_matches', 'bench_tool_calls', 'bench_verdicts'];

test('what is asked at every call finds its rows by keys, also where it was planned while the tables were empty', async () => {
  const benchId = await seedBench(db, smallPlan({ matches: 2 * RUNS }));
  const owner = { benchId, epoch: 1 };
  const [candA, candB] = [`${benchId}/alpha`, `${benchId}/beta`];
  const sides = {
    candA,
    candB,
    hypA: `${candA}/1`,
    hypB: `${candB}/1`,
    oneOrder: 'ab',
    repeats: 0,
  } as const;
  await saveSchedule(
    db,
    benchId,
    Array.from({ length: RUNS }, (_, index) => ({ index, ...sides })),
  );
  const before = await countScans();
  for (let run = 0; run < RUNS; run++) {
    await admitFirst(db, intent(benchId, `a${run}`, { boundUsd: 0.01 }), {
      tokensPerByte: null,
      minCalls: 3,
    });
    await renewLease(db, await readSent(db, `${benchId}/a${run}`), 60_000);
    await settle(db, `${benchId}/a${run}`, 1, answer(0.001));
    await admitCall(db, intent(benchId, `b${run}`, { boundUsd: 0.01 }), LIMITS);
    await failCall(db, await readSent(db, `${benchId}/b${run}`), {
      ...{ kind: 'dropped', endsAs: 'in_doubt', httpStatus: null, requestId: null },
      ...{ reportedUsd: 0.001, computedUsd: null, latencyMs: 1 },
    });
    await judge(run);
    await useTool(run);
  }
  expect(await countScans()).toEqual(before);

  async function judge(run: number): Promise<void> {
    const matchId = `${benchId}/m${run}`;
    const callKey = `${matchId}/ab/sim:judge/1`;
    const place = { matchId, order: 'ab', judge: 'sim:judge', repeat: 0, ...owner, callKey } as const;
    const verdict: StoredVerdict['verdict'] = {
      state: 'valid',
      winner: 'first',
      rationale: 'so',
      scores: [],
    };
    await readJudgedMatch(db, matchId);
    const one = { judges: ['sim:judge'], asked: [{ judge: 0, order: 'ab' }] } as const;
    expect(await saveVerdict(db, { ...place, verdict }, one)).toBe('played');
  }

  async function useTool(run: number): Promise<void> {
    const ref = { hypothesisId: `${candA}/1`, turn: run, index: 0 };
    const call = {
      callId: 'c',
      tool: 't',
      arguments: '{}',
      argumentsSha256: 'a',
      repeats: null,
      answer: null,
    };
    await findBench(db, benchId);
    await saveToolCalls(db, owner, [{ ...ref, benchId, ...call }]);
    await findToolCall(db, ref);
    await saveToolAnswer(db, owner, ref, {
      ...{ outcome: 'found', failureKind: null, text: 'so', documents: [], cache: 'miss' },
      ...{ withheldCount: 0, latencyMs: 3 },
    });
  }

  async function countScans() {
    await sql`SELECT pg_stat_force_next_flush()`.execute(db);
    const { rows } = await sql`
      SELECT relname, seq_scan FROM pg_stat_user_tables WHERE relname = ANY (${TABLES}) ORDER BY relname`.execute(
      db,
    );
    return rows;
  }
});
