import type { RecordedBench } from '../core/report/recorded-bench';
import type { Database } from './database';

/** A night was played against texts of another bench, which is not in this database. */
export class OpponentsMissing extends Error {
  constructor(
    readonly benchId: string,
    readonly opponents: readonly string[],
  ) {
    super(`bench ${benchId} was played against texts of ${opponents.join(', ')}, not in this database`);
    this.name = 'OpponentsMissing';
  }
}

/** @throws OpponentsMissing naming the benches whose texts a record's matches need and this database lacks */
export async function requireOpponents(
  db: Database,
  { run, hypotheses, matches }: Pick<RecordedBench, 'run' | 'hypotheses' | 'matches'>,
): Promise<void> {
  const own = new Set(hypotheses.map(({ id }) => id));
  const foreign = new Set(matches.flatMap(({ hypA, hypB }) => [hypA, hypB]).filter((id) => !own.has(id)));
  if (foreign.size === 0) return;
  const rows = await db
    .selectFrom('bench_hypotheses')
    .select('id')
    .where('id', 'in', [...foreign])
    .execute();
  for (const { id } of rows) foreign.delete(id);
  const benches = new Set([...foreign].map((id) => id.slice(0, id.indexOf('/'))));
  if (benches.size > 0) throw new OpponentsMissing(run.benchId, [...benches].sort());
}
