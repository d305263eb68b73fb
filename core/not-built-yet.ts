import type { BenchInput } from './bench-input';
import type { Candidate } from './candidate-spec';

/**
 * What the input's contract has and no code does yet: refused by name rather than ignored. Whoever builds a
 * part takes its line out.
 */
const NOT_BUILT: {
  field: string;
  isAsked(fields: BenchInput, candidates: readonly Candidate[]): boolean;
  reason: string;
}[] = [
  {
    field: 'replicates',
    isAsked: (fields) => (fields.replicates ?? 1) > 1,
    reason: 'replicates need benches in groups (leave it at 1)',
  },
];

export function notBuiltProblems(fields: BenchInput, candidates: readonly Candidate[]): string[] {
  return NOT_BUILT.filter((part) => part.isAsked(fields, candidates)).map(
    ({ field, reason }) => `${field}: not built yet: ${reason}`,
  );
}
