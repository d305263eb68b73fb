import { isJsonObject } from '../../core/json-object';
import type { Random } from '../../core/random';
import { at, listAt } from './json-path';
import { drawTopic, pick, sentences } from './sim-prose';

/**
 * Arguments that a schema accepts: every property filled, texts marked as simulated, numbers inside their bounds.
 *
 * @param known values that stand for properties of these names (`full_text` and `fullText` are one name)
 * @param picksFirst decisions between two options always take the first: `A`, where there is one
 */
export function simArguments(
  random: Random,
  schema: unknown,
  known: Record<string, unknown>,
  picksFirst: boolean,
): Record<string, unknown> {
  const byName = new Map(Object.entries(known).map(([name, value]) => [plain(name), value]));
  const properties = at(schema, 'properties');
  const entries = Object.entries(isJsonObject(properties) ? properties : {}).map(([name, property]) => [
    name,
    byName.get(plain(name)) ?? simValue(random, property, name, picksFirst),
  ]);
  return Object.fromEntries(entries);
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll('_', '');
}

function simValue(random: Random, schema: unknown, name: string, picksFirst: boolean): unknown {
  const options = listAt(schema, 'enum');
  if (options.length > 0) return picksFirst ? firstOption(options) : pick(random, options);
  if (at(schema, 'const') !== undefined) return at(schema, 'const');
  const variants = [...listAt(schema, 'anyOf'), ...listAt(schema, 'oneOf')];
  if (variants.length > 0) return simValue(random, variants[0], name, picksFirst);
  switch (typeOf(schema)) {
    case 'object':
      return simArguments(random, schema, {}, picksFirst);
    case 'array':
      return simList(random, schema, name, picksFirst);
    case 'integer':
      return simNumber(random, schema);
    case 'number':
      return simNumber(random, schema);
    case 'boolean':
      return random.uniform() < 0.5;
    case 'null':
      return null;
    default:
      return simText(random, schema, name);
  }
}

function typeOf(schema: unknown): unknown {
  const type = at(schema, 'type');
  if (Array.isArray(type)) return type.find((each) => each !== 'null') ?? 'null';
  return type ?? (at(schema, 'properties') === undefined ? 'string' : 'object');
}

function firstOption(options: unknown[]): unknown {
  return options.find((option) => /^(option[ _]?)?(a|first)$/i.test(String(option))) ?? options[0];
}

/** One entry each when the entries name something from a list (criteria, say), else two or three. */
function simList(random: Random, schema: unknown, name: string, picksFirst: boolean): unknown[] {
  const items = at(schema, 'items');
  const enumerated = Object.entries((at(items, 'properties') ?? {}) as object).find(
    ([, property]) => listAt(property, 'enum').length > 1,
  );
  if (enumerated) {
    const [key, property] = enumerated;
    return listAt(property, 'enum').map((option) => ({
      ...simArguments(random, items, {}, picksFirst),
      [key]: option,
    }));
  }
  const least = Number(at(schema, 'minItems') ?? 0);
  const most = Number(at(schema, 'maxItems') ?? Number.POSITIVE_INFINITY);
  const count = Math.min(most, Math.max(least, random.integers(2, 4)));
  return Array.from({ length: count }, () => simValue(random, items, name, picksFirst));
}

function simNumber(random: Random, schema: unknown): number {
  const low = bound(schema, 'minimum', 1);
  const high = Math.max(low, bound(schema, 'maximum', low + 4));
  return random.integers(Math.ceil(low), Math.floor(high) + 1);
}

/** Bounds at the edge of the safe integers are how zod says that there is none. */
function bound(schema: unknown, keyword: string, otherwise: number): number {
  const value = at(schema, keyword);
  return typeof value === 'number' && Math.abs(value) < 2 ** 31 ? value : otherwise;
}

function simText(random: Random, schema: unknown, name: string): string {
  const topic = drawTopic(random);
  const isQuery = /query|term|keyword/i.test(name);
  const [text] = sentences(random, topic, isQuery ? 'queries' : 'reviewPoints', 1);
  const most = Number(at(schema, 'maxLength') ?? Number.POSITIVE_INFINITY);
  return (isQuery ? text! : `${text} (simulated)`).slice(0, most);
}
