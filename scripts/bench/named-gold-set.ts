import { existsSync } from 'node:fs';
import { checkGoldSet } from '../../activities/gold-set-schema';
import type { GoldSet } from '../../core/gold-set';
import { countText } from '../../core/report/figure-text';
import type { GoldSetOrigin } from '../../core/report/recorded-bench';
import { catalogue, findGoldSet } from '../../presets';
import { suggest } from '../../presets/suggest';
import { UsageError } from '../cli-error';
import { readTextFile } from '../readable-file';

export interface NamedGoldSet {
  goldSet: GoldSet;
  origin: GoldSetOrigin;
}

/**
 * A registered set by its name, or somebody's own by the path of its file.
 * @throws UsageError when there is neither, or the file is no set, with everything that keeps it from being one
 */
export async function findNamedGoldSet(nameOrPath: string): Promise<NamedGoldSet> {
  const { goldSets } = catalogue([]);
  if (goldSets.includes(nameOrPath)) return { goldSet: findGoldSet(nameOrPath), origin: 'registered' };
  if (existsSync(nameOrPath)) {
    return { goldSet: readOwnSet(nameOrPath, readTextFile('gold set', nameOrPath)), origin: 'file' };
  }
  const close = suggest(nameOrPath, goldSets);
  throw new UsageError({
    reason: `there is no gold set ${JSON.stringify(nameOrPath)}, and no file of that name`,
    remedy: close
      ? `did you mean ${close}?`
      : `known: ${goldSets.join(', ')}; or give the path of a JSON file`,
  });
}

function readOwnSet(path: string, content: string): GoldSet {
  let value: unknown;
  try {
    value = JSON.parse(content);
  } catch (error) {
    const { message } = error as Error;
    throw new UsageError({
      reason: `${path} is not JSON: ${message}`,
      remedy: 'docs/guide/cli.md shows a gold set',
    });
  }
  const checked = checkGoldSet(value);
  if ('goldSet' in checked) return checked.goldSet;
  const count = checked.problems.length;
  throw new UsageError({
    reason: `${path} is not a gold set: ${countText(count, 'problem')}`,
    problems: checked.problems,
    remedy: 'mend these; docs/guide/cli.md shows a gold set',
  });
}
