import { evaluate } from '../../../activities/evaluation/eval-suite';
import { writeHypothesisText } from '../../../activities/hypothesis-text';
import { EVAL_AGENTS, type EvalAgent, type EvalCheck, evalState } from '../../../core/evaluation/eval-check';
import type { RecordedAttempt, RecordedHypothesis } from '../../../core/report/recorded-bench';
import { type LoadedTranscripts, loadTranscripts } from './recorded-transcripts';

type Tamper = (transcripts: LoadedTranscripts) => void;

async function check(tamper: Tamper = () => {}, agent: EvalAgent | null = null): Promise<EvalCheck[]> {
  const transcripts = loadTranscripts();
  tamper(transcripts);
  return evaluate({ ...transcripts, files: null }, { agent, leastCompliance: 1 });
}

async function failing(tamper: Tamper): Promise<string[]> {
  const checks = await check(tamper);
  return checks.filter((it) => evalState(it) === 'failed').map(({ area, name }) => `${area}/${name}`);
}

function slot({ bench }: LoadedTranscripts, label: string, k: number): RecordedHypothesis {
  return bench.hypotheses.find(({ id }) => id === `${bench.run.benchId}/${label}/${k}`)!;
}

function call(
  { attempts }: LoadedTranscripts,
  isWanted: (attempt: RecordedAttempt) => boolean,
): RecordedAttempt {
  return attempts.flat().find((it) => it.state === 'settled' && isWanted(it))!;
}

/** Changes what a model handed in, inside its raw answer, whoever's wire it is. */
function changeArguments(attempt: RecordedAttempt, change: (given: Record<string, unknown>) => void): void {
  const body = JSON.parse(attempt.response!) as { calls: { arguments: string }[] };
  const [handedIn] = body.calls;
  const given = JSON.parse(handedIn!.arguments) as Record<string, unknown>;
  change(given);
  handedIn!.arguments = JSON.stringify(given);
  attempt.response = JSON.stringify(body);
}

test('the transcripts that come with the program pass all 15 checks, and each had something to look at', async () => {
  const checks = await check();
  const generation = 'structured-output stored-records citation-integrity state-machine near-duplicates caps';
  expect(checks.map((it) => `${it.area}/${it.name} ${evalState(it)}`)).toEqual(
    [
      ...`${generation} budget-exceeded`.split(' ').map((name) => `generation/${name}`),
      ...['reflection/structured-output', 'reflection/stored-records'],
      ...['ranking/structured-output', 'ranking/stored-records', 'ranking/outcomes'],
      ...['overview/figures', 'overview/report', 'end-to-end/goal-to-report'],
    ].map((name) => `${name} passed`),
  );
});

test.each(EVAL_AGENTS)('asked for %s, the checks of no other agent are made', async (agent) => {
  expect(new Set((await check(undefined, agent)).map(({ area }) => area))).toEqual(new Set([agent]));
});

test('of a bench that has called nobody nothing passes but the 12 slots, which stand where they began', async () => {
  const states = await check((it) => {
    it.attempts = [];
    it.bench.matches = [];
    it.bench.run.summary = null;
    it.bench.run.state = 'running';
    for (const budget of it.bench.budgets) Object.assign(budget, { heldUsd: 0, exceededCapUsd: null });
    for (const own of it.bench.hypotheses) {
      Object.assign(own, { state: 'planned', record: null, review: null, toolCalls: [], failureKind: null });
    }
  });
  expect(
    states.filter((it) => evalState(it) !== 'nothing_to_check').map((it) => [it.name, it.checked]),
  ).toEqual([['state-machine', 12]]);
});

const TAMPERED: [what: string, fails: string, tamper: Tamper][] = [
  [
    'a hypothesis is handed in without its mechanism',
    'generation/structured-output',
    (it) =>
      changeArguments(
        call(it, ({ key }) => key.includes('/raw/1/turn/')),
        (given) => delete given.mechanism,
      ),
  ],
  [
    'a review lacks its assessment',
    'reflection/structured-output',
    (it) =>
      changeArguments(
        call(it, ({ kind }) => kind === 'review'),
        (given) => delete given.assessment,
      ),
  ],
  [
    'a verdict names a third winner',
    'ranking/structured-output',
    (it) =>
      changeArguments(
        call(it, ({ kind }) => kind === 'judge'),
        (given) => {
          given.winner = 'third';
        },
      ),
  ],
  [
    'a stored title is not the one handed in',
    'generation/stored-records',
    (it) => {
      slot(it, 'raw', 1).record!.title += '!';
    },
  ],
  [
    'a stored review is not the one handed in',
    'reflection/stored-records',
    (it) => {
      slot(it, 'raw', 1).review!.review!.assessment = 'Excellent.';
    },
  ],
  [
    'a stored verdict names the other one',
    'ranking/stored-records',
    (it) => {
      const verdict = it.bench.matches.flatMap(({ verdicts }) => verdicts)[0]!;
      verdict.winnerPosition = verdict.winnerPosition === 'first' ? 'second' : 'first';
    },
  ],
  [
    'a request was changed after it was sent',
    'ranking/stored-records',
    (it) => {
      call(it, ({ kind }) => kind === 'judge').request += ' ';
    },
  ],
  [
    'the tools had shown nothing of what is cited',
    'generation/citation-integrity',
    (it) => {
      for (const own of it.bench.hypotheses) for (const toolCall of own.toolCalls) toolCall.documents = [];
    },
  ],
  [
    'a citation that a tool had shown is kept apart',
    'generation/citation-integrity',
    (it) => {
      const own = it.bench.hypotheses.find(({ record }) => (record?.citations.length ?? 0) > 0)!;
      own.unsupportedCitations = own.record!.citations.splice(0, 1);
    },
  ],
  [
    'a slot plays without a record',
    'generation/state-machine',
    (it) => {
      slot(it, 'raw', 1).record = null;
    },
  ],
  [
    'a slot failed after it was drafted',
    'generation/state-machine',
    (it) => {
      Object.assign(slot(it, 'echo', 2), { state: 'failed', failureKind: 'refused', duplicateOf: null });
    },
  ],
  [
    'a slot is still planned when its bench has finished',
    'generation/state-machine',
    (it) => {
      Object.assign(it.bench.hypotheses.find(({ state }) => state === 'over_budget')!, { state: 'planned' });
    },
  ],
  [
    'a review was asked for before there was a hypothesis',
    'generation/state-machine',
    (it) => {
      const { review } = slot(it, 'pipeline', 1);
      call(it, ({ key }) => key === review!.callKey).sentAt = '2020-01-01T00:00:00.000000Z';
    },
  ],
  [
    'two kept slots have one idea',
    'generation/near-duplicates',
    (it) => {
      Object.assign(slot(it, 'raw', 2), { record: structuredClone(slot(it, 'raw', 1).record) });
    },
  ],
  [
    'a duplicate repeats nothing',
    'generation/near-duplicates',
    (it) => {
      Object.assign(slot(it, 'echo', 2), {
        record: slot(it, 'raw', 2).record,
        contentSha256: 'f'.repeat(64),
      });
    },
  ],
  [
    'a call went out that did not fit',
    'generation/caps',
    (it) => {
      call(it, ({ key }) => key.includes('/poor/')).boundUsd = 4.6;
    },
  ],
  [
    'a budget holds less than its calls are charged',
    'generation/caps',
    (it) => {
      it.bench.budgets.find(({ id }) => id.endsWith('/poor'))!.heldUsd = 0;
    },
  ],
  [
    'a call was refused while ten dollars were left',
    'generation/budget-exceeded',
    (it) => {
      const budget = it.bench.budgets.find(({ id }) => id.endsWith('/poor'))!;
      Object.assign(budget, { capUsd: budget.heldUsd + 10, exceededCapUsd: budget.heldUsd + 10 });
    },
  ],
  [
    'a slot ended over budget, and no budget was exceeded',
    'generation/budget-exceeded',
    (it) => {
      for (const budget of it.bench.budgets) budget.exceededCapUsd = null;
    },
  ],
  [
    'a budget was closed by a call that cost no more than its bound',
    'generation/budget-exceeded',
    (it) => {
      const { key } = call(it, (attempt) => attempt.key.includes('/raw/'));
      it.bench.budgets.find(({ id }) => id.endsWith('/raw'))!.closedBy = key;
    },
  ],
  [
    'a match went to the loser of both orders',
    'ranking/outcomes',
    (it) => {
      const match = it.bench.matches.find(({ winner }) => winner === 'a' || winner === 'b')!;
      match.winner = match.winner === 'a' ? 'b' : 'a';
    },
  ],
  [
    'a candidate has a win that no match gave it',
    'overview/figures',
    (it) => {
      it.bench.candidates[0]!.wins += 1;
    },
  ],
  [
    'the summary leaves a candidate out, and so does the report',
    'overview/report',
    (it) => {
      it.bench.run.summary!.candidates.splice(0, 1);
    },
  ],
  [
    'a model was never told the goal',
    'end-to-end/goal-to-report',
    (it) => {
      const first = call(it, ({ key }) => key.endsWith('/pipeline/1/turn/1'));
      first.request = first.request.replaceAll('leukaemic', 'other');
    },
  ],
  [
    'the judge read the second hypothesis in the place of the first',
    'end-to-end/goal-to-report',
    (it) => {
      const match = it.bench.matches.find(({ state }) => state === 'played')!;
      const [ab, ba] = match.verdicts.map(({ callKey }) => call(it, ({ key }) => key === callKey));
      [ab!.request, ba!.request] = [ba!.request, ab!.request];
    },
  ],
  [
    'the transcript of a verdict is gone',
    'end-to-end/goal-to-report',
    (it) => {
      const { callKey } = it.bench.matches.find(({ state }) => state === 'played')!.verdicts[0]!;
      it.attempts = it.attempts.filter(([first]) => first!.key !== callKey);
    },
  ],
];

test.each(TAMPERED)('where %s, %s fails', async (_, name, tamper) => {
  expect(await failing(tamper)).toContain(name);
});

test('one idea in two runs of a bench is no duplicate: fresh runs do not know of each other', async () => {
  const repeat: Tamper = (it) => {
    Object.assign(slot(it, 'raw', 2), { record: structuredClone(slot(it, 'raw', 1).record) });
    Object.assign(it.bench.run.plan, { n: 1, replicates: 3 });
    for (const own of it.bench.hypotheses) if (own.state === 'duplicate') own.state = 'failed';
  };
  expect(await failing(repeat)).not.toContain('generation/near-duplicates');
});

test('a judge of the view text is to read both texts without citations and reviews, and with them it fails', async () => {
  const chain = async (view: 'full' | 'text') =>
    (
      await check((it) => {
        it.bench.run.plan.judgeView = 'text';
        const record = (id: string) => it.bench.hypotheses.find((own) => own.id === id)!.record!;
        for (const { hypA, hypB, verdicts } of it.bench.matches) {
          for (const { order, callKey } of verdicts) {
            const sides = order === 'ab' ? [hypA, hypB] : [hypB, hypA];
            const texts = sides.map((id) => writeHypothesisText(record(id), view));
            const asked = call(it, ({ key }) => key === callKey);
            asked.request = JSON.stringify({ text: [it.bench.run.goal, ...texts].join(' ') });
          }
        }
      })
    ).find(({ name }) => name === 'goal-to-report')!;
  expect(evalState(await chain('text'))).toBe('passed');
  expect(evalState(await chain('full'))).toBe('failed');
});

test('a verdict that rests on an argument is held against it: it was argued, and is stored as refused', async () => {
  const fails = await failing((it) => {
    const verdict = it.bench.matches.find(({ state }) => state === 'played')!.verdicts[0]!;
    Object.assign(verdict, { state: 'invalid', reason: 'refused', winnerPosition: null, rationale: null });
    verdict.scores = null;
    const turn = call(it, ({ key }) => key === verdict.callKey);
    turn.kind = 'debate';
    const body = JSON.parse(turn.response!) as { calls: { name: string; arguments: string }[] };
    body.calls[0] = { ...body.calls[0]!, name: 'record_argument', arguments: '{"argument":"It is new."}' };
    turn.response = JSON.stringify(body);
  });
  expect(fails).toContain('ranking/stored-records');
});

test('of 12 answers one that is no record fails at a share of 1, and passes at 0.9: 11 ÷ 12 is 91.6 %', async () => {
  const transcripts = loadTranscripts();
  changeArguments(
    call(transcripts, ({ key }) => key.includes('/raw/1/turn/')),
    (given) => delete given.title,
  );
  const [output] = await evaluate(
    { ...transcripts, files: null },
    { agent: 'generation', leastCompliance: 0.9 },
  );
  expect(output).toMatchObject({ checked: 12, violations: [] });
  expect(output?.notes.at(-1)).toBe('91.6 % comply, at least 90 % must');
});
