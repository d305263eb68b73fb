import type { Database } from '../../db/database';
import { findNightly, type Nightly, readNightlies } from '../../db/nightlies';
import { CliError } from '../cli-error';

/** @throws CliError when there is no nightly of this name */
export async function findNamed(db: Database, name: string): Promise<Nightly> {
  const nightly = await findNightly(db, name);
  if (nightly) return nightly;
  const { suggest } = require('../../presets/suggest') as typeof import('../../presets/suggest');
  const known = (await readNightlies(db)).map((one) => one.name);
  const close = suggest(name, known);
  throw new CliError({
    reason: `there is no nightly ${JSON.stringify(name)}`,
    remedy: close
      ? `did you mean ${close}?`
      : known.length > 0
        ? `one of: ${known.join(', ')}`
        : 'there are none yet: co-scientist nightly create',
  });
}
