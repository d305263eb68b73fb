import type { Migration } from 'kysely';
import * as bench from './001-bench';
import * as literature from './002-literature';
import * as scipivot from './003-scipivot';
import * as judging from './004-judging';
<<<<<<< HEAD
import * as rescore from './006-rescore';
=======
import * as nightly from './005-nightly';
>>>>>>> 72c7f5b (Nightlies: rows, workflow, and the commands that create, show and steer them)

/** In the order of their names. A migration that has run somewhere is never edited. */
export const migrations: Record<string, Migration> = {
  '001-bench': bench,
  '002-literature': literature,
  '003-scipivot': scipivot,
  '004-judging': judging,
<<<<<<< HEAD
  '006-rescore': rescore,
=======
  '005-nightly': nightly,
>>>>>>> 72c7f5b (Nightlies: rows, workflow, and the commands that create, show and steer them)
};
