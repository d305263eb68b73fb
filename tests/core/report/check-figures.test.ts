import type { BenchSummary, CandidateSummary } from '../../../core/bench-summary';
import type { VarianceReport } from '../../../core/ratings/variance-report';
import { checkFigures } from '../../../core/report/check-figures';
import type { RecordedBench } from '../../../core/report/recorded-bench';
import { makeRescore } from '../../../core/report/stored-rescore';
import { findGoldSet } from '../../../presets';
import { madeUp } from './made-up';

type Late = Partial<CandidateSummary>;

let record: RecordedBench;
beforeAll(async () => {
  ({ record } = await madeUp());
});

function check(change: (copy: RecordedBench) => void): string[] {
  const copy = structuredClone(record);
  change(copy);
  return checkFigures(copy, findGoldSet('aml-repurposing-paper-5')).map(
    ({ subject, field }) => `${subject.replace(record.run.benchId, 'bench')} ${field}`,
  );
}

test('a bench of 24 matches whose rows were made by our own functions has 0 differences', () => {
  expect(record.matches).toHaveLength(24);
  expect(check(() => {})).toEqual([]);
});

test('a verdict that named the other place contradicts its match, the Elo, the ratings and the summary', () => {
  const index = record.matches.findIndex(({ agreement }) => agreement === 'agreed');
  const found = check(({ matches }) => {
    const [verdict] = matches[index]!.verdicts;
    verdict!.winnerPosition = verdict!.winnerPosition === 'first' ? 'second' : 'first';
  });
  expect(found).toContain(`bench/m${index} scoreA`);
  expect(found).toContain(`bench/m${index} agreement`);
  expect(found.some((line) => line.startsWith('ratings given.candidates'))).toBe(true);
  expect(found.some((line) => / elo$/.test(line))).toBe(true);
  expect(found).toContain('summary judge.flips');
});

test.each<[string, (copy: RecordedBench) => void, string]>([
  [
    'a score',
    ({ matches }) => {
      matches[0]!.scoreA = matches[0]!.scoreA === 1 ? 0 : 1;
    },
    'bench/m0 scoreA',
  ],
  [
    'a rationale',
    ({ matches }) => {
      matches[0]!.rationale += '.';
    },
    'bench/m0 rationale',
  ],
  [
    'a match’s cost',
    ({ matches }) => {
      matches[3]!.judgeCostUsd! += 1e-9;
    },
    'bench/m3 judgeCostUsd',
  ],
  [
    'wins',
    ({ candidates }) => {
      candidates[1]!.wins += 1;
    },
    'bench/oak[raw] wins',
  ],
  [
    'a mean Elo',
    ({ candidates }) => {
      candidates[0]!.meanElo! += 0.001;
    },
    'bench/oak[pipe] meanElo',
  ],
  [
    'a rating',
    ({ candidates }) => {
      candidates[0]!.btElo! += 0.001;
    },
    'bench/oak[pipe] btElo',
  ],
  [
    'an interval',
    ({ candidates }) => {
      candidates[0]!.btLow! -= 0.001;
    },
    'bench/oak[pipe] btLow',
  ],
  [
    'an Elo',
    ({ hypotheses }) => {
      hypotheses[0]!.elo! -= 0.001;
    },
    'bench/oak[pipe]/1 elo',
  ],
  [
    'a total',
    ({ run }) => {
      run.summary!.totalCostUsd += 1e-9;
    },
    'summary totalCostUsd',
  ],
  [
    'a rank',
    ({ run }) => {
      run.summary!.candidates[0]!.rank = 2;
    },
    'summary candidates[0].rank',
  ],
  [
    'held money',
    ({ budgets }) => {
      budgets[0]!.heldUsd += 1e-9;
    },
    'budget bench heldUsd',
  ],
  [
    'tokens',
    ({ calls }) => {
      calls[0]!.inputTokens! += 1;
    },
    'computedUsd',
  ],
  [
    'a charge',
    ({ calls }) => {
      calls[0]!.chargedUsd = 0;
    },
    'chargedUsd',
  ],
  [
    'a stored interval',
    ({ run }) => {
      run.ratings!.given.candidates[0]!.interval!.low -= 0.01;
    },
    'ratings given.candidates[0].interval.low',
  ],
])('%s that was changed is found', (_, change, expected) => {
  expect(check(change).some((line) => line.endsWith(expected))).toBe(true);
});

test('a gold hit that was added, and one whose hypothesis no longer says it, are found', () => {
  const slot = record.hypotheses[0]!.id;
  const added = check(({ goldHits }) => {
    goldHits.push({
      hypothesisId: slot,
      goldSet: 'aml-repurposing-paper-5',
      entity: 'Binimetinib',
      field: 'title',
      alias: 'Binimetinib',
      kind: 'proposed',
      excerpt: 'Binimetinib',
      origin: 'model',
      originDocument: null,
    });
  });
  expect(added).toContain('bench/oak[pipe]/1 goldHits[0]');
  const said = check(({ hypotheses }) => {
    hypotheses[0]!.record!.summary += ' Pacritinib.';
  });
  expect(said).toContain('bench/oak[pipe]/1 goldHits[0]');
});

test('a match with one verdict alone may not claim an outcome', () => {
  const found = check(({ matches }) => void matches[2]!.verdicts.pop());
  expect(found).toEqual(expect.arrayContaining(['bench/m2 state', 'bench/m2 winner', 'bench/m2 scoreA']));
});

test('a field that a later program adds to a summary is no difference, a failure that is not counted is one', () => {
  expect(check(({ run }) => void delete (run.summary as Partial<typeof run.summary>)!.matches)).toEqual([]);
  const found = check(({ run }) => {
    run.summary!.candidates[0]!.failures = { truncated: 1 };
  });
  expect(found).toEqual(['summary candidates[0].failures.truncated']);
});

test.each<[string, (copy: RecordedBench) => void]>([
  ['half-flips', ({ run }) => void delete (run.summary!.judge as Partial<BenchSummary['judge']>).halfFlips],
  ['as-run places', ({ run }) => run.summary!.candidates.forEach((c) => void delete (c as Late).asRun)],
  ['pipeline − raw', ({ run }) => void delete (run.summary as Partial<BenchSummary>).pipelineMinusRaw],
  ['a next dollar', ({ run }) => void delete (run.ratings!.variances as Partial<VarianceReport>).nextDollar],
  [
    'what unit costs tell of it',
    ({ run }) => void Object.assign(run.ratings!.variances!, { nextDollar: null }),
  ],
])('a bench of before there were %s has 0 differences', (_, change) => {
  expect(record.run.ratings!.variances!.nextDollar).not.toBeNull();
  expect(check(change)).toEqual([]);
});

test('a next dollar that buys the other thing, and a pipeline − raw that is not the ratings’, are found', () => {
  const found = check(({ run }) => {
    const { nextDollar } = run.ratings!.variances!;
    run.ratings!.variances!.nextDollar = nextDollar === 'verdicts' ? 'hypotheses' : 'verdicts';
    run.summary!.pipelineMinusRaw!.models[0]!.elo! += 0.001;
    run.summary!.candidates[0]!.asRun.rank = 4;
  });
  expect(found).toEqual([
    'summary candidates[0].asRun.rank',
    'summary pipelineMinusRaw.models[0].elo',
    'ratings variances.nextDollar',
  ]);
});

test('a pipeline − raw of next to nothing is the same within a fit’s tolerance', () => {
  const found = check(({ run }) => {
    run.summary!.pipelineMinusRaw!.models[0]!.elo! += 1e-9;
  });
  expect(found).toEqual([]);
});

test('a kept rescore that the texts do not bear out is listed, by its own set, whatever is registered', () => {
  const set = { ...findGoldSet('aml-repurposing-paper-top3'), name: 'mine', version: 2 };
  const rescore = { ...makeRescore(record, set, 'file'), rescoredAt: '2026-10-05T00:00:00.000000Z' };
  expect(check((copy) => void copy.rescores.push(structuredClone(rescore)))).toEqual([]);
  const found = check((copy) => {
    copy.rescores.push(structuredClone(rescore));
    copy.rescores[0]!.candidates[1]!.hitting += 1;
  });
  expect(found).toEqual(['rescore mine 2 candidates[1].hitting']);
});

test('a match that a drop left unplayed stays so, though both of its verdicts, out at that moment, still came', () => {
  const isMatch = (line: string) => line.startsWith('bench/m0 ');
  const dropped = { state: 'unplayed', winner: null, scoreA: null, agreement: null } as const;
  const left = (reason: string) =>
    check(({ matches }) => Object.assign(matches[0]!, { ...dropped, reason })).filter(isMatch);
  expect(left('dropped')).toEqual([]);
  expect(left('over_budget')).toContain('bench/m0 state');
});
