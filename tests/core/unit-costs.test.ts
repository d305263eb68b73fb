import { unitCostsOf } from '../../core/unit-costs';

const costs = (kind: 'generation' | 'review' | 'judge' | 'debate' | 'probe', costUsd: number, gaps = {}) => ({
  kind,
  costUsd,
  nUnknownCost: 0,
  inDoubtUsd: 0,
  ...gaps,
});

describe('what one more hypothesis and one more verdict cost', () => {
  it('is $0.30 with its review, and $0.05 with its debate; probes are in neither (by hand)', () => {
    const spent = [
      costs('generation', 2),
      costs('review', 0.4),
      costs('judge', 1.5),
      costs('debate', 0.5),
      costs('probe', 9),
    ];
    const units = unitCostsOf(spent, { hypotheses: 8, verdicts: 40 });
    expect(units!.usdPerHypothesis).toBeCloseTo(0.3, 12);
    expect(units!.usdPerVerdict).toBeCloseTo(0.05, 12);
  });

  it.each([
    ['an unknown cost', [costs('generation', 1, { nUnknownCost: 1 }), costs('judge', 1)], 2],
    ['a cost in doubt', [costs('generation', 1), costs('judge', 1, { inDoubtUsd: 0.1 })], 2],
    ['no verdict', [costs('generation', 1)], 0],
  ])('is not known with %s', (_, spent, verdicts) => {
    expect(unitCostsOf(spent, { hypotheses: 4, verdicts })).toBeNull();
  });
});
