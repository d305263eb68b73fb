import { sql } from 'kysely';
import type { Database } from '../../db/database';

/** As many nights as before, and some in which one candidate was worse: weeks that no test can wait for. */
export async function pretendNights(
  owner: Database,
  nightlyId: string,
  steady: number,
  worse: number,
): Promise<void> {
  await sql`
    INSERT INTO bench_nights (nightly_id, night, kind, baseline, namespace, workflow_id, first_run_id, judged_at,
                              anchors, judge_value, judge_highest, has_judge_drifted)
    SELECT ${nightlyId}, 2 + i, 'measured', 1, 'default', 'pretended-' || i, 'none', now() - make_interval(hours => 100 - i),
           json_build_object('favourites', 0.6 + (i * 7 % 10) / 100.0, 'sides', json_build_array(0.5, 0.5)), 1, 1, false
      FROM generate_series(1, ${steady + worse}::integer) AS i`.execute(owner);
  await sql`
    INSERT INTO bench_night_candidates (nightly_id, night, position, label, score, played, planned, nights, drop_value,
                                        gain_value, highest_drop, highest_gain, attainable, verdict)
    SELECT ${nightlyId}, 2 + i, p, label, CASE WHEN p = 1 AND i > ${steady} THEN 0.3 - i / 1000.0 ELSE 0.5 + (i * 7 % 10) / 100.0 END,
           8, 8, i, 1, 1, 1, 1, 1, 'underpowered'
      FROM generate_series(1, ${steady + worse}::integer) AS i,
           (VALUES (0, 'steady'), (1, 'fickle')) AS c (p, label)`.execute(owner);
}

/** The model behind an alias changes. */
export async function setModel(owner: Database, label: string, model: string): Promise<void> {
  await sql`
    UPDATE bench_nightlies SET input = replace(input, ${`${label}=sim:alder@`}, ${`${label}=sim:${model}@`})`.execute(
    owner,
  );
}
