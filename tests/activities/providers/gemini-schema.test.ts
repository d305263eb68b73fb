import { geminiSchema } from '../../../activities/providers/gemini-schema';

it('leaves out every keyword that Gemini refuses, at any depth', () => {
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    additionalProperties: false,
    properties: {
      list: {
        type: 'array',
        minItems: 1,
        items: {
          type: 'object',
          additionalProperties: false,
          properties: { a: { type: 'string', default: 'x' } },
        },
      },
      either: {
        anyOf: [
          { type: 'string', format: 'email' },
          { type: 'integer', exclusiveMinimum: 0 },
        ],
      },
    },
    required: ['list'],
  };
  expect(geminiSchema(schema)).toEqual({
    type: 'object',
    properties: {
      list: { type: 'array', minItems: 1, items: { type: 'object', properties: { a: { type: 'string' } } } },
      either: { anyOf: [{ type: 'string' }, { type: 'integer' }] },
    },
    required: ['list'],
  });
});

it('keeps a property that is named like a keyword', () => {
  const schema = { type: 'object', properties: { additionalProperties: { type: 'string' } } };
  expect(geminiSchema(schema)).toEqual(schema);
});

it('drops integer enums, which refuse the whole request, and keeps string ones', () => {
  expect(geminiSchema({ type: 'integer', enum: [1, 2], minimum: 1 })).toEqual({
    type: 'integer',
    minimum: 1,
  });
  expect(geminiSchema({ type: 'string', enum: ['1', '2'] })).toEqual({ type: 'string', enum: ['1', '2'] });
});

it('says null as nullable, a constant as an enum of one, and no properties as none', () => {
  expect(geminiSchema({ type: ['string', 'null'] })).toEqual({ type: 'string', nullable: true });
  expect(geminiSchema({ type: 'string', const: 'yes' })).toEqual({ type: 'string', enum: ['yes'] });
  expect(geminiSchema({ type: 'object', properties: {} })).toEqual({ type: 'object' });
});
