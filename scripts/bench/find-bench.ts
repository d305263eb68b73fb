import { findBenchIds } from '../../db/bench-list';
import type { Database } from '../../db/database';
import { CliError } from '../cli-error';

const SHOWN = 5;

/**
 * The bench that this text begins the id of; `bnc_`, and the workflow's `bench-` before it, may be left out.
 * @throws CliError when there is none, or more than one
 */
export async function findBenchId(db: Database, text: string): Promise<string> {
  const prefix = toIdPrefix(text);
  const found = await findBenchIds(db, prefix, SHOWN + 1);
  if (found.length === 1 || found[0] === prefix) return found[0]!;
  if (found.length > 1) {
    const more = found.length > SHOWN ? ', …' : '';
    throw new CliError({
      reason: `${JSON.stringify(text)} begins the ids of several benches: ${found.slice(0, SHOWN).join(', ')}${more}`,
      remedy: 'give more of the id',
    });
  }
  throw new CliError({
    reason: `there is no bench ${JSON.stringify(text)}`,
    remedy: await nearest(db, prefix),
  });
}

export function toIdPrefix(text: string): string {
  const bare = text
    .trim()
    .replace(/^bench-/i, '')
    .replace(/^bnc_/i, '');
  return `bnc_${bare.toUpperCase()}`;
}

async function nearest(db: Database, prefix: string): Promise<string> {
  const { suggest } = require('../../presets/suggest') as typeof import('../../presets/suggest');
  const known = await findBenchIds(db, '', 500);
  if (known.length === 0) return 'there are none yet; start one: npm run demo';
  const close = suggest(prefix, known);
  return close ? `did you mean ${close}?` : `co-scientist list; the newest is ${known[0]}`;
}
