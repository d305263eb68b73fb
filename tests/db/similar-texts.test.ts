import fc from 'fast-check';
import { sql } from 'kysely';
import { SIMILARITY_THRESHOLD } from '../../core/duplicates';
import { type SimilarPair, similarPairs } from '../../core/similar-pairs';
import { type Database, openDatabase } from '../../db/database';
import { readTrigrams } from '../../db/hypotheses';
import { createTestDatabase, type TestDatabase } from '../stack/test-database';
import { seedBench, smallPlan } from './seed-bench';

const SLOTS = 9;

let database: TestDatabase;
let db: Database;
let candidateId: string;

beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.workerUrl);
  candidateId = `${await seedBench(db, smallPlan({ n: SLOTS }))}/alpha`;
});

afterAll(async () => {
  await db.destroy();
  await database.drop();
});

/** Title, summary and mechanism of a draft; null: nothing has been recorded. */
type Idea = [string, string, string] | null;

async function record(ideas: readonly Idea[]): Promise<void> {
  for (let k = 1; k <= SLOTS; k++) {
    const [title, summary, mechanism] = ideas[k - 1] ?? [null, null, null];
    await db
      .updateTable('bench_hypotheses')
      .set({ title, summary, mechanism, content_sha256: title === null ? null : 'x' })
      .where('id', '=', `${candidateId}/${k}`)
      .execute();
  }
}

async function found(threshold = SIMILARITY_THRESHOLD): Promise<SimilarPair[]> {
  return [...similarPairs(await readTrigrams(db, candidateId), threshold)].flat();
}

/** The plain way: every pair of texts, held against each other by Postgres. */
async function expected(threshold = SIMILARITY_THRESHOLD): Promise<SimilarPair[]> {
  const { rows } = await sql<SimilarPair>`
    WITH drafts AS (
      SELECT id, k, concat_ws(E'\\n', title, summary, mechanism) AS idea
        FROM bench_hypotheses WHERE candidate_id = ${candidateId} AND content_sha256 IS NOT NULL
    )
    SELECT earlier.id AS "earlierId", later.id AS "laterId"
      FROM drafts earlier JOIN drafts later ON earlier.k < later.k
     WHERE similarity(earlier.idea, later.idea) >= ${threshold}
     ORDER BY later.k, earlier.k`.execute(db);
  return rows;
}

const slots = (ids: readonly [number, number][]) =>
  ids.map(([earlier, later]) => ({
    earlierId: `${candidateId}/${earlier}`,
    laterId: `${candidateId}/${later}`,
  }));

test('3 of 4 words are a similarity of 0.75 and alike, 5 of 7 are not: the pairs 1-2 and 4-5', async () => {
  await record([
    ['a b c', '', ''],
    ['a b', 'c', 'd'],
    null,
    ['a b c d e f', '', ''],
    ['a b c d e f', 'g', ''],
  ]);
  // Each one-letter word has 2 trigrams of its own, so 1-2 share 6 of 8 and 4-5 share 12 of 14; 1-4, 6 of 12.
  expect(await found()).toEqual(
    slots([
      [1, 2],
      [4, 5],
    ]),
  );
  await record([
    ['a b c d e f', '', ''],
    ['a b c d e g', '', ''],
  ]);
  expect(await found()).toEqual([]);
});

test('texts without a word are like nothing, not even like each other: 0 pairs', async () => {
  await record([
    ['', '', ''],
    ['', '', ''],
    ['…', '—', ' \n '],
    ['🧬', '🧬', '🧬'],
    ['🧬', '🧬', '🧬'],
  ]);
  expect(await found()).toEqual([]);
});

const word = fc.oneof(
  // Few one-letter words: a similarity of exactly 0.75 is common among them.
  { weight: 6, arbitrary: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'B') },
  fc.constantFrom(
    'β-catenin',
    'ÄRZTE',
    'ärzte',
    'İstanbul',
    'ß',
    'naïve',
    'nai\u0308ve',
    '白血病',
    '造血幹細胞',
  ),
  fc.constantFrom(
    'бласт',
    'دواء',
    'e\u0301',
    '🧬',
    '…',
    ',',
    ',,',
    '{"a"}',
    '"',
    '\\',
    'NULL',
    '\n',
    'x\u200dy',
  ),
  fc.constantFrom(
    'venetoclax',
    'Venetoclax',
    'venetoclax,',
    'BCL-2',
    'CD34+',
    '0x1f2e3d',
    'ﬁbrosis',
    'Ⅳ',
    '½',
  ),
  fc.string({ unit: 'binary', maxLength: 12 }).map((text) => text.replaceAll('\0', '')),
);
const part = fc.array(word, { maxLength: 6 }).map((words) => words.join(' '));
const idea = fc.oneof({ weight: 8, arbitrary: fc.tuple(part, part, part) }, fc.constant(null));

/** Ideas of which some say another one with a word more. */
const ideas = fc
  .array(fc.tuple(idea, fc.option(fc.nat({ max: SLOTS })), word), { maxLength: SLOTS })
  .map((drawn) =>
    drawn.map(([own, of, more]): Idea => {
      const other = of === null ? null : (drawn[of]?.[0] ?? null);
      return other === null ? own : [other[0], `${other[1]} ${more}`, other[2]];
    }),
  );

test('of 120 random candidates it finds the very pairs that Postgres finds pair by pair, in the same order', async () => {
  let nPairs = 0;
  await fc.assert(
    fc.asyncProperty(ideas, fc.constantFrom(SIMILARITY_THRESHOLD, 0.3, 0.6, 1), async (drawn, threshold) => {
      await record(drawn);
      const pairs = await found(threshold);
      expect(pairs).toEqual(await expected(threshold));
      nPairs += pairs.length;
    }),
    { numRuns: 120, seed: 20261130 },
  );
  expect(nPairs).toBeGreaterThan(100);
});

test('of texts of 200,000 characters too: the 3 pairs of a text, its copy in capitals and one cut by a tenth', async () => {
  const words = Array.from({ length: 24_000 }, (_, i) =>
    ((i * 7919) % 1_000_003).toString(36).padStart(7, 'βx'),
  );
  const long = words.join(' ');
  await record([
    [long, '', ''],
    null,
    ['', long.toUpperCase(), ''],
    ['', '', words.slice(2_400).join(' ')],
    ['x', 'y', 'z'],
  ]);
  const pairs = await found();
  expect(pairs).toEqual(
    slots([
      [1, 3],
      [1, 4],
      [3, 4],
    ]),
  );
  expect(pairs).toEqual(await expected());
});
