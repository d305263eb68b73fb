import { z } from 'zod';
import { benchFileSchema } from './bench-file';
import { hypothesisFileSchema } from './hypothesis-file';
import { rubricFileSchema } from './rubric-file';
import { scipivotFileSchema } from './scipivot-file';
import { transcriptFileSchema } from './transcript-file';

/** JSON Schema of each kind of file in a bundle, by the name of its file in docs/schemas. */
export const BUNDLE_SCHEMAS: Readonly<Record<string, object>> = {
  'bench.v1.json': jsonSchema('bench', benchFileSchema),
  'hypothesis.v1.json': jsonSchema('hypothesis', hypothesisFileSchema),
  'rubric.v1.json': jsonSchema('rubric', rubricFileSchema),
  'scipivot.v1.json': jsonSchema('scipivot', scipivotFileSchema),
  'transcript.v1.json': jsonSchema('transcript', transcriptFileSchema),
};

function jsonSchema(kind: string, schema: z.ZodType): object {
  return {
    $id: `co-scientist-bench/${kind}@1`,
    title: `co-scientist-bench ${kind}`,
    ...z.toJSONSchema(schema, { io: 'input' }),
  };
}
