import type { BenchInput } from '../../../core/bench-input';
import { type MadeUpBench, type MadeUpOptions, makeUpBench } from '../../../scripts/made-up/made-up-bench';

export const BENCH_ID = 'bnc_01KQTEST00000000000000TEST';

const INPUT: BenchInput = {
  goal: 'Find a drug for acute myeloid leukaemia (AML) that nobody has tried.',
  candidates: [
    'oak[pipe]=sim:alder@pipeline',
    'oak[raw]=sim:alder@direct',
    'elm[pipe]=sim:hazel@pipeline',
    'elm[raw]=sim:hazel@direct',
  ],
  judge: 'sim:referee',
  goldSet: 'aml-repurposing-paper-5',
  n: 3,
  matches: 4,
};

/** A finished bench of 4 candidates, 12 hypotheses and 24 matches, without any server. */
export function madeUp(options: Partial<MadeUpOptions> = {}): Promise<MadeUpBench> {
  return makeUpBench({ benchId: BENCH_ID, input: INPUT, ...options });
}

/** Attempts as readers hand them out: key by key. */
export async function* byKey({ attempts }: MadeUpBench) {
  for (const attempt of attempts) yield [attempt];
}
