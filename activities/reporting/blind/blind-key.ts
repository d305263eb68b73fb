import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { BlindSample } from '../../../core/report/blind-sample';
import { jsonText } from '../bundle/json-text';
import { count, text } from '../bundle/recorded-schemas';

const closeness = z.enum(['clear', 'close', 'flipped']);

/** What a blind sample's sheet leaves out: whose the texts are, and what the judge said. */
export const blindKeySchema = z.strictObject({
  format: z.literal('co-scientist-bench/blind-key'),
  version: z.literal(1),
  sample: text,
  benchId: text,
  simulated: z.boolean(),
  judges: z.array(text).describe('provider:model'),
  seed: count,
  available: z.record(closeness, count).describe('played matches of the bench, by kind'),
  items: z.array(
    z.strictObject({
      item: z.int().min(1),
      match: count.describe('place in the schedule'),
      left: z.enum(['a', 'b']).describe('the side shown on the left'),
      judge: z.enum(['left', 'right', 'tie']),
      closeness,
    }),
  ),
});

export type BlindKey = z.infer<typeof blindKeySchema>;

export function writeBlindKey(
  sample: BlindSample,
  { simulated, judges }: { simulated: boolean; judges: string[] },
): string {
  return jsonText({
    format: 'co-scientist-bench/blind-key',
    version: 1,
    sample: sampleName(sample),
    benchId: sample.benchId,
    simulated,
    judges,
    seed: sample.seed,
    available: sample.available,
    items: sample.items,
  } satisfies BlindKey);
}

/** Ties a sheet to its key, and tells nothing of what is in it. */
export function sampleName({ benchId, seed, items }: BlindSample): string {
  return createHash('sha256')
    .update(JSON.stringify([benchId, seed, items]))
    .digest('hex')
    .slice(0, 12);
}
