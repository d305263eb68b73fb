import fc from 'fast-check';
import { sql } from 'kysely';
import { trigramSimilarity, trigrams } from '../../../core/evaluation/trigram-similarity';
import { testDatabaseOfFile } from '../../stack/test-database';

const db = testDatabaseOfFile().open('worker');

async function inPostgres(one: string, other: string): Promise<number> {
  const { rows } = await sql<{ s: number }>`SELECT similarity(${one}, ${other}) AS s`.execute(db);
  return rows[0]!.s;
}

test('“cat” has the 4 trigrams that the manual of pg_trgm names', () => {
  expect([...trigrams('cat')].sort()).toEqual(['  c', ' ca', 'at ', 'cat']);
});

test('“word” and “two words” share 4 of 11 trigrams, as the manual of pg_trgm has it: 0.363636', () => {
  expect(trigramSimilarity('word', 'two words')).toBeCloseTo(0.363636, 6);
});

test('without a word on either side the similarity is 0', async () => {
  expect(trigramSimilarity('', '– …')).toBe(0);
  expect(await inPostgres('', '– …')).toBe(0);
});

const words = fc
  .array(
    fc.constantFrom('BCL-2', 'inhibits', 'β-catenin', 'the', 'niche', 'x', '42', 'Ärzte', '…', '\n', 'CD34+'),
  )
  .map((parts) => parts.join(' '));

test('on 200 random pairs it says what similarity() of Postgres says', async () => {
  await fc.assert(
    fc.asyncProperty(words, words, async (one, other) => {
      expect(trigramSimilarity(one, other)).toBeCloseTo(await inPostgres(one, other), 6);
    }),
    { numRuns: 200, seed: 20261004 },
  );
});
