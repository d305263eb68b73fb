import type { Migration } from 'kysely';
import * as bench from './001-bench';
import * as literature from './002-literature';
import * as scipivot from './003-scipivot';
import * as judging from './004-judging';
import * as nightly from './005-nightly';
import * as rescore from './006-rescore';
import * as lockOrder from './007-lock-order';
import * as rubric from './008-rubric';
import * as probeOverrun from './009-probe-overrun';

/** In the order of their names. A migration that has run somewhere is never edited. */
export const migrations: Record<string, Migration> = {
  '001-bench': bench,
  '002-literature': literature,
  '003-scipivot': scipivot,
  '004-judging': judging,
  '005-nightly': nightly,
  '006-rescore': rescore,
  '007-lock-order': lockOrder,
  '008-rubric': rubric,
  '009-probe-overrun': probeOverrun,
};
