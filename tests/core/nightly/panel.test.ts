import { anchorScores, candidateScore } from '../../../core/nightly/night-scores';
import { choosePanel, type PanelCandidate } from '../../../core/nightly/panel';

const kept = (candidates: number, slots: number): PanelCandidate[] =>
  Array.from({ length: candidates * slots }, (_, i) => ({
    hypothesisId: `${Math.floor(i / slots)}/${(i % slots) + 1}`,
    candidateId: String(Math.floor(i / slots)),
    elo: 1000 + ((i * 37) % 101),
  }));

describe('the frozen panel', () => {
  it('takes 14 of 8 candidates with 4 hypotheses each: two of six, one of two', () => {
    const { opponents } = choosePanel(kept(8, 4));
    expect(opponents).toHaveLength(14);
    const counts = [0, 1, 2, 3, 4, 5, 6, 7].map(
      (c) => opponents.filter((id) => id.startsWith(`${c}/`)).length,
    );
    expect(counts).toEqual([2, 2, 2, 2, 2, 2, 1, 1]);
  });

  it('pairs 56 anchors, each pair once, the better rated first', () => {
    const candidates = kept(8, 4);
    const elo = new Map(candidates.map((one) => [one.hypothesisId, one.elo]));
    const { anchors } = choosePanel(candidates);
    expect(anchors).toHaveLength(56);
    expect(new Set(anchors.map((pair) => [...pair].sort().join(' '))).size).toBe(56);
    expect(anchors.every(([a, b]) => elo.get(a)! >= elo.get(b)!)).toBe(true);
  });

  it('has what there is where there is less: 2 opponents, and their one pairing', () => {
    expect(choosePanel(kept(2, 1))).toEqual({ opponents: ['0/1', '1/1'], anchors: [['1/1', '0/1']] });
    expect(choosePanel([])).toEqual({ opponents: [], anchors: [] });
  });
});

describe('the scores of a night', () => {
  it('leave a missing match out of both sums, and are missing below half of the matches', () => {
    expect(candidateScore([1, 0.5, null, null])).toBe(0.75);
    expect(candidateScore([1, null, null])).toBeNull();
    expect(candidateScore([])).toBeNull();
  });

  it('of anchors are the mean of the favourites and of each side: ½ and ¾, by hand', () => {
    const anchors = [
      { a: 0, b: 1, scoreA: 1 },
      { a: 1, b: 0, scoreA: 0.5 },
      { a: 0, b: 0, scoreA: 0 },
    ];
    expect(anchorScores(anchors, 3)).toEqual({ favourites: 0.5, sides: [0.75, 0.25, null] });
  });

  it('of anchors are missing below four fifths of them', () => {
    const played = (count: number) =>
      Array.from({ length: 5 }, (_, i) => ({ a: 0, b: 1, scoreA: i < count ? 1 : null }));
    expect(anchorScores(played(4), 2)?.favourites).toBe(1);
    expect(anchorScores(played(3), 2)).toBeNull();
    expect(anchorScores([], 2)).toBeNull();
  });
});
