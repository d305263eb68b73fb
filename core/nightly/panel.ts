/** A hypothesis that may stand on a panel: kept by its bench, and played there. */
export interface PanelCandidate {
  hypothesisId: string;
  candidateId: string;
  /** Sequential Elo in its own bench. */
  elo: number;
}

/** What every night is held against: the same texts and the same pairings, night after night. */
export interface Panel {
  /** Hypothesis ids. */
  opponents: string[];
  /** Pairs of opponents judged again each night; the first of each is the one its own bench rated higher. */
  anchors: [string, string][];
}

/** The least number of opponents that our power figures were simulated with. */
export const PANEL_SIZE = 14;
/** Eight a text: with half as many a judge's new taste shows in the candidates before it shows here. */
export const ANCHORS = 56;

/**
 * Takes opponents from each candidate of the pinned bench in turn, so that each is on the panel equally often (±1), and
 * pairs them for the anchors. A pair half the panel apart in strength tells most of a judge: nearer, a coarser judge
 * looks the same; farther, every judge agrees.
 *
 * @param candidates in the order of candidates and their slots
 * @param size how many opponents; fewer where there are not so many
 */
export function choosePanel(
  candidates: readonly PanelCandidate[],
  size: number = PANEL_SIZE,
  anchors: number = ANCHORS,
): Panel {
  const opponents = inTurn(candidates).slice(0, size);
  return {
    opponents: opponents.map((one) => one.hypothesisId),
    anchors: pairs(opponents, anchors),
  };
}

function inTurn(candidates: readonly PanelCandidate[]): PanelCandidate[] {
  const byCandidate = new Map<string, PanelCandidate[]>();
  for (const one of candidates) {
    byCandidate.set(one.candidateId, [...(byCandidate.get(one.candidateId) ?? []), one]);
  }
  const hands = [...byCandidate.values()];
  const rounds = Math.max(0, ...hands.map((hand) => hand.length));
  return Array.from({ length: rounds }, (_, round) => hands.flatMap((hand) => hand[round] ?? [])).flat();
}

/** Distances around half the panel first; each distance pairs every opponent that has one so far below it. */
function pairs(opponents: readonly PanelCandidate[], most: number): [string, string][] {
  const byElo = opponents.toSorted((one, other) => other.elo - one.elo);
  const half = Math.floor(byElo.length / 2);
  const distances = byElo.slice(1).map((_, i) => i + 1);
  distances.sort((one, other) => Math.abs(one - half) - Math.abs(other - half) || one - other);
  const all = distances.flatMap((distance) =>
    byElo.slice(distance).map((weaker, i): [string, string] => [byElo[i]!.hypothesisId, weaker.hypothesisId]),
  );
  return all.slice(0, most);
}
