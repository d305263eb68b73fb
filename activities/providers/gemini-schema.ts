import { isJsonObject } from '../../core/json-object';

/** The part of OpenAPI's schema that `FunctionDeclaration.parameters` takes; any other keyword answers 400. */
const KEPT = new Set([
  'type',
  'description',
  'title',
  'nullable',
  'enum',
  'items',
  'minItems',
  'maxItems',
  'properties',
  'required',
  'propertyOrdering',
  'minLength',
  'maxLength',
  'pattern',
  'minimum',
  'maximum',
  'anyOf',
]);

/**
 * A JSON schema in the words Gemini takes (ai.google.dev/api/caching#Schema): `$schema`, `additionalProperties` and
 * the like are left out, `["string", "null"]` becomes nullable, `const` an enum of one. An enum of anything but
 * strings refuses the whole request, so it is left out too; our own check of the arguments still holds it.
 */
export function geminiSchema(schema: Record<string, unknown>): Record<string, unknown> {
  const cleaned: Record<string, unknown> = {};
  for (const [key, value] of Object.entries({ ...schema, ...nullableType(schema), ...constAsEnum(schema) })) {
    if (!KEPT.has(key)) continue;
    if (key === 'properties') {
      if (isJsonObject(value) && Object.keys(value).length > 0) cleaned[key] = mapped(value);
    } else if (key === 'enum') {
      if (isStringList(value)) cleaned[key] = value;
    } else if (key === 'items') {
      if (isJsonObject(value)) cleaned[key] = geminiSchema(value);
    } else if (key === 'anyOf') {
      if (Array.isArray(value)) cleaned[key] = value.filter(isJsonObject).map(geminiSchema);
    } else cleaned[key] = value;
  }
  return cleaned;
}

function mapped(properties: Record<string, unknown>): Record<string, unknown> {
  const entries = Object.entries(properties).filter(([, value]) => isJsonObject(value));
  return Object.fromEntries(
    entries.map(([name, value]) => [name, geminiSchema(value as Record<string, unknown>)]),
  );
}

function nullableType({ type }: Record<string, unknown>): Record<string, unknown> {
  if (!Array.isArray(type)) return {};
  const types = type.filter((each) => each !== 'null');
  return { type: types[0], ...(types.length < type.length ? { nullable: true } : {}) };
}

function constAsEnum(schema: Record<string, unknown>): Record<string, unknown> {
  return typeof schema.const === 'string' ? { enum: [schema.const] } : {};
}

function isStringList(value: unknown): value is string[] {
  return Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'string');
}
