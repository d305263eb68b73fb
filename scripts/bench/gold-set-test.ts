import { readFile } from 'node:fs/promises';
import { checkGoldSet } from '../../activities/gold-set-schema';
import { findGoldHits, type GoldSet } from '../../core/gold-set';
import { catalogue, findGoldSet } from '../../presets';
import { suggest } from '../../presets/suggest';
import { UsageError } from '../cli-error';
import { readText } from './input-file';
import { printJson } from './print-result';
import { printable } from './printable';

/**
 * Prints what of a gold set a text names: each entity once, where it stands first.
 * @throws UsageError when there is no such set, its file is not one, or there is no text
 */
export async function testGoldSet(
  nameOrPath: string,
  options: { text: string | undefined; file: string | undefined; isJson: boolean },
): Promise<void> {
  const goldSet = await findSet(nameOrPath);
  const text = await textToSearch(options);
  const found = findGoldHits(goldSet, {
    title: '',
    summary: '',
    fullText: text,
    mechanism: '',
    entities: [],
    citations: [],
    falsification: '',
  });
  const hits = found.map(({ entity, alias, excerpt }) => ({ entity, alias, excerpt }));
  if (options.isJson) {
    printJson({ hits });
    return;
  }
  const lines = hits.map(({ entity, alias, excerpt }) => {
    const by = alias === entity ? '' : ` (as ${printable(alias)})`;
    return `${printable(entity)}${by}: …${printable(excerpt)}…`;
  });
  const count = `${hits.length} of ${goldSet.entities.length} entities of ${printable(goldSet.name)}`;
  process.stdout.write([...lines, count].map((line) => `${line}\n`).join(''));
}

async function findSet(nameOrPath: string): Promise<GoldSet> {
  const { goldSets } = catalogue([]);
  if (goldSets.includes(nameOrPath)) return findGoldSet(nameOrPath);
  const content = await readFile(nameOrPath, 'utf8').catch(() => null);
  if (content !== null) return readOwnSet(nameOrPath, content);
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
    reason: `${path} is not a gold set: ${count} ${count === 1 ? 'problem' : 'problems'}`,
    problems: checked.problems,
    remedy: 'mend these; docs/guide/cli.md shows a gold set',
  });
}

async function textToSearch({ text, file }: { text: string | undefined; file: string | undefined }) {
  if (text !== undefined) return text;
  if (file !== undefined) return readText('--file', file);
  throw new UsageError({
    reason: 'no text to search',
    remedy: "give --text '…', or --file with a path or - for stdin",
  });
}
