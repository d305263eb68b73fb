import { findGoldHits } from '../../core/gold-set';
import { countText } from '../../core/report/figure-text';
import { UsageError } from '../cli-error';
import { together } from '../together';
import { readText } from './input-file';
import { findNamedGoldSet } from './named-gold-set';
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
  const [{ goldSet }, text] = await together(
    () => findNamedGoldSet(nameOrPath),
    () => textToSearch(options),
  );
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
  const count = `${hits.length} of ${countText(goldSet.entities.length, 'entity', 'entities')} of ${printable(goldSet.name)}`;
  process.stdout.write([...lines, count].map((line) => `${line}\n`).join(''));
}

async function textToSearch({ text, file }: { text: string | undefined; file: string | undefined }) {
  if (text !== undefined) return text;
  if (file !== undefined) return readText('--file', file);
  throw new UsageError({
    reason: 'no text to search',
    remedy: "give --text '…', or --file with a path or - for stdin",
  });
}
