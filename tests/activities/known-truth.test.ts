import type { CompletionRequest } from '../../activities/providers/provider';
import { simProvider } from '../../activities/providers/sim';
import { checkHypothesis, checkVerdict, RECORD_HYPOTHESIS } from '../../activities/record-schemas';
import { verdictRequest } from '../../activities/verdict-request';
import type { BenchPlan } from '../../core/bench-plan';
import type { HypothesisRecord } from '../../core/hypothesis';
import { type Order, verdictKey } from '../../core/ids';
import { matchOutcome, type Verdict } from '../../core/outcome';
import { rateCandidates } from '../../core/ratings/candidate-ratings';
import { buildSchedule } from '../../core/schedule';
import { findSimModels } from '../../presets';
import { smallPlan } from '../db/seed-bench';

const sim = simProvider(findSimModels());
const SKILLS = [3.5, 2.5, 1.5, 0.5, -0.5, -1.5, -2.5, -3.5];
const N = 4;

async function recorded(request: CompletionRequest): Promise<unknown> {
  const options = { callId: `${request.draw.key}#1`, signal: AbortSignal.timeout(60_000), timeoutMs: 60_000 };
  const answer = await sim.send(sim.build(request), { model: request.model, ...options });
  const completion = sim.read(answer, request);
  if (completion.kind !== 'recorded') throw new Error(`sim: ${completion.kind}`);
  return completion.arguments;
}

async function writeHypothesis(seed: number, candidate: number, k: number): Promise<HypothesisRecord> {
  const checked = checkHypothesis(
    await recorded({
      model: `elm,skill=${SKILLS[candidate]},spread=0`,
      system: '',
      turns: [{ role: 'user', text: 'Write one.' }],
      tools: [RECORD_HYPOTHESIS],
      toolChoice: { kind: 'force', tool: RECORD_HYPOTHESIS.name },
      maxOutputTokens: 8192,
      thinking: 'off',
      draw: { seed, key: `c${candidate}/${k}/turn/1` },
    }),
  );
  if ('problems' in checked) throw new Error(checked.problems.join());
  return checked.record;
}

/** A whole tournament of sim texts before a sim judge, by the prompts and the rules of a bench. */
async function ranking(seed: number): Promise<number[]> {
  const judge = { ...smallPlan().judges[0]!, provider: 'sim', model: 'fair-referee' };
  const plan: BenchPlan = { ...smallPlan(), seed, judges: [judge] };
  const texts = new Map<string, HypothesisRecord>();
  for (const candidate of SKILLS.keys()) {
    for (let k = 1; k <= N; k++) texts.set(`c${candidate}/${k}`, await writeHypothesis(seed, candidate, k));
  }
  const sides = new Map([...texts].map(([id, record]) => [id, { record, review: null }]));
  const matches = [];
  for (const scheduled of buildSchedule({ candidates: SKILLS.length, slots: N, matches: 8, seed })) {
    const { index, candA, candB, slotA, slotB } = scheduled;
    const row = { index, candA: `c${candA}`, candB: `c${candB}`, oneOrder: null, repeats: 0 };
    const hyps = { hypA: `c${candA}/${slotA}`, hypB: `c${candB}/${slotB}` };
    const match = { ...row, ...hyps, id: `b/m${index}`, benchId: 'b', state: 'planned' } as const;
    const ask = async (order: Order): Promise<Verdict> => {
      const place = { plan, judge, judged: { match, epoch: 1, sides }, order };
      const request = verdictRequest(place, verdictKey(match.id, order, 'sim:fair-referee', 1), []);
      const checked = checkVerdict(await recorded(request));
      if ('problems' in checked) throw new Error(checked.problems.join());
      return { state: 'valid', winner: checked.record.winner };
    };
    const outcome = matchOutcome({ ab: await ask('ab'), ba: await ask('ba') });
    const scoreA = outcome.state === 'played' ? outcome.scoreA : null;
    matches.push({
      ...row,
      ...hyps,
      scoreA,
      forfeit: 'none' as const,
      unplayedReason: null,
      verdicts: [],
      run: '1',
    });
  }
  const { candidates } = rateCandidates(matches, { seed, draws: 100 });
  return candidates.map(({ candidate }) => Number(candidate.slice(1)));
}

/** Maurice Kendall 1938: concordant less discordant pairs, over all. */
function kendall(ranked: readonly number[]): number {
  const pairs = ranked.flatMap((one, i) => ranked.slice(i + 1).map((other) => Math.sign(other - one)));
  return pairs.reduce((sum, sign) => sum + sign, 0) / pairs.length;
}

test('8 sim candidates a logit apart, n 4, 8 matches a pair, by a fair sim judge: median Kendall tau over 3 seeds ≥ 0.9', async () => {
  const taus = [];
  for (const seed of [1, 2, 3]) taus.push(kendall(await ranking(seed)));
  expect(taus.sort((one, other) => one - other)[1]).toBeGreaterThanOrEqual(0.9);
});
