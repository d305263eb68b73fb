import { z } from 'zod';
import type { GoldSet } from '../core/gold-set';
import { tokenise } from '../core/tokens';
import { shapeProblems } from './shape-problems';

const text = z.string().refine((value) => value.trim() !== '', 'expected a text that is not empty');
const name = text.refine(
  (value) => tokenise(value).length > 0,
  'holds no letter or digit, so it hits nothing',
);

export const goldSetSchema = z.strictObject({
  name: text,
  version: z.int().min(1),
  source: z.strictObject({ title: text, publisher: text, id: text, url: z.url() }),
  publishedOn: z.iso.date(),
  criteria: z.array(text).min(1),
  entities: z.array(z.strictObject({ name, aliases: z.array(name) })).min(1),
});

/** A gold set from anywhere, or everything that keeps it from being one. */
export function checkGoldSet(value: unknown): { goldSet: GoldSet } | { problems: string[] } {
  const result = goldSetSchema.safeParse(value, { reportInput: true });
  if (!result.success) return { problems: shapeProblems(result.error.issues, knownFields) };
  const problems = sharedNames(result.data);
  return problems.length > 0 ? { problems } : { goldSet: result.data };
}

/** Of the object at this place. */
function knownFields(path: readonly PropertyKey[]): readonly string[] {
  const { shape } = goldSetSchema;
  if (path[0] === 'source') return Object.keys(shape.source.shape);
  return path[0] === 'entities' ? ['name', 'aliases'] : Object.keys(shape);
}

/** Two names of the same tokens hit the same texts: within an entity one is idle, across two both count. */
function sharedNames({ entities }: GoldSet): string[] {
  const placeOf = new Map<string, string>();
  const problems: string[] = [];
  for (const [i, entity] of entities.entries()) {
    for (const [j, own] of [entity.name, ...entity.aliases].entries()) {
      const place = j === 0 ? `entities[${i}].name` : `entities[${i}].aliases[${j - 1}]`;
      const tokens = tokenise(own)
        .map((token) => token.text)
        .join(' ');
      const taken = placeOf.get(tokens);
      if (taken) problems.push(`${place}: ${JSON.stringify(own)} is the same to a search as ${taken}`);
      else placeOf.set(tokens, place);
    }
  }
  return problems;
}
