import type { HypothesisState } from '../bench-states';
import type { RecordedBench } from './recorded-bench';

/** A slot in a list of all: what it proposes in short, or why it proposes nothing. */
export interface HypothesisReport {
  publicId: string;
  label: string;
  k: number;
  state: HypothesisState;
  failureKind: string | null;
  failureDetail: string | null;
  isNudged: boolean;
  /** `<label> <k>` of the one it is too similar to. */
  duplicateOf: string | null;
  title: string | null;
  summary: string | null;
  elo: number | null;
  wins: number;
  losses: number;
  ties: number;
  /** Gold-set entities it names, as graded at run time. */
  goldHits: string[];
  nCitations: number;
  /** Cited, but seen in no tool's answer. */
  nUnsupported: number;
}

/** Every slot, those that brought nothing too, in the order of candidates and k. */
export function reportHypotheses(record: RecordedBench): HypothesisReport[] {
  const { run, candidates, hypotheses, goldHits } = record;
  const labels = new Map(candidates.map(({ id, label }) => [id, label]));
  const names = new Map(hypotheses.map((h) => [h.id, `${labels.get(h.candidateId)} ${h.k}`]));
  const outcomes = countOutcomes(record);
  return hypotheses.map((h) => ({
    publicId: h.publicId,
    label: labels.get(h.candidateId) ?? h.candidateId,
    k: h.k,
    state: h.state,
    failureKind: h.failureKind,
    failureDetail: h.failureDetail,
    isNudged: h.draftKind === 'nudged',
    duplicateOf: h.duplicateOf === null ? null : (names.get(h.duplicateOf) ?? h.duplicateOf),
    title: h.record?.title ?? null,
    summary: h.record?.summary ?? null,
    elo: h.elo,
    ...(outcomes.get(h.id) ?? { wins: 0, losses: 0, ties: 0 }),
    goldHits: [
      ...new Set(
        goldHits
          .filter((hit) => hit.hypothesisId === h.id && hit.goldSet === run.plan.goldSet)
          .map(({ entity }) => entity),
      ),
    ],
    nCitations: h.record?.citations.length ?? 0,
    nUnsupported: h.unsupportedCitations?.length ?? 0,
  }));
}

function countOutcomes({
  matches,
}: RecordedBench): Map<string, { wins: number; losses: number; ties: number }> {
  const counts = new Map<string, { wins: number; losses: number; ties: number }>();
  for (const { hypA, hypB, winner } of matches) {
    if (winner === null) continue;
    for (const [id, side] of [
      [hypA, 'a'],
      [hypB, 'b'],
    ] as const) {
      const own = counts.get(id) ?? { wins: 0, losses: 0, ties: 0 };
      counts.set(id, own);
      if (winner === 'tie') own.ties += 1;
      else if (winner === side) own.wins += 1;
      else own.losses += 1;
    }
  }
  return counts;
}
