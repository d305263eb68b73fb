import type { GoldSet } from '../../core/gold-set';
import { catalogue, findGoldSet } from '../../presets';
import type { Colours } from './terminal';
import { block } from './text-block';

export function goldSetList(): GoldSet[] {
  return catalogue([]).goldSets.map(findGoldSet);
}

/** Each with its source and since when it is public: a later model may have read the answers. */
export function goldSetsText(sets: readonly GoldSet[], width: number, { bold }: Colours): string {
  return sets
    .map(({ name, version, source, publishedOn, criteria, entities }) => {
      const rows: [string, string][] = [
        ['entities', entities.map((e) => [e.name, ...e.aliases].join(', ')).join('\n')],
        ['source', `${source.title}, ${source.publisher}, ${source.id}`],
        ['public since', publishedOn],
        ['criteria', criteria.join('\n')],
      ];
      return `${bold(name)} (version ${version})\n${block(rows, width)}\n`;
    })
    .join('\n');
}
