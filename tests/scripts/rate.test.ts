import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'csv-stringify/sync';
import fc from 'fast-check';
import type { VerdictRow } from '../../core/ratings/rate-rows';
import { UsageError } from '../../scripts/cli-error';
import { readVerdicts } from '../../scripts/rating/verdict-file';
import { runCli } from './run-cli';

const read = (text: string) => readVerdicts('f.csv', Buffer.from(text)).rows;

function problemsOf(text: string | Buffer): readonly string[] {
  try {
    readVerdicts('f.csv', Buffer.from(text));
  } catch (error) {
    if (error instanceof UsageError) return error.details.problems ?? [];
    throw error;
  }
  return [];
}

/** Names the file's items in no order, and no group. */
const PLAIN = 'left,right,winner\nA,B,left\nB,C,tie\n';

describe('a file of verdicts', () => {
  const rows = [
    { left: 'A', right: 'B', winner: 'left' },
    { left: 'B', right: 'C', winner: 'tie' },
  ];

  it.each([
    ['as it is', PLAIN],
    ['with a byte-order mark', `\ufeff${PLAIN}`],
    ['with CRLF', PLAIN.replaceAll('\n', '\r\n')],
    ['with old line ends', PLAIN.replaceAll('\n', '\r')],
    ['without a last line end', PLAIN.trimEnd()],
    ['with empty lines', PLAIN.replaceAll('\n', '\n\n')],
    ['with quoted cells', '"left","right","winner"\n"A","B","left"\n"B","C","tie"\n'],
    ['with blanks around cells and capitals', ' Left , RIGHT,Winner\nA , B,LEFT\nB,C, Tie\n'],
    ['with the header in another order', 'winner,right,left\nleft,B,A\ntie,C,B\n'],
    ['with a column of somebody else’s', 'judge,left,right,winner\nj,A,B,left\nj,B,C,tie\n'],
  ])('%s gives the same two verdicts', (_, text) => {
    expect(read(text)).toEqual(rows);
  });

  it('with clusters and groups has them where their cells are not empty', () => {
    const text = 'left,right,winner,cluster,left_group,right_group\na,b,tie,1,A,B\na,b,left,,A,B\n';
    expect(read(text)).toEqual([
      { left: 'a', right: 'b', winner: 'tie', cluster: '1', leftGroup: 'A', rightGroup: 'B' },
      { left: 'a', right: 'b', winner: 'left', leftGroup: 'A', rightGroup: 'B' },
    ]);
  });

  it('is read back as any CSV writer writes it, whatever its items are called', () => {
    const item = fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => text === text.trim());
    const row = fc.record({
      left: item,
      right: item,
      winner: fc.constantFrom('left', 'right', 'tie') as fc.Arbitrary<VerdictRow['winner']>,
    });
    const some = fc.array(
      row.filter(({ left, right }) => left !== right),
      { minLength: 1 },
    );
    fc.assert(
      fc.property(some, fc.boolean(), (verdicts, quoted) => {
        expect(read(stringify(verdicts, { header: true, quoted }))).toEqual(verdicts);
      }),
    );
  });
});

describe('what is wrong with a file', () => {
  it('is told all at once, each by the line it begins on: 3, 4, 6, 7, 7, 9', () => {
    const text =
      'left,right,winner,cluster\nA,B,left,1\nA,A,tie,2\n"two\nlines",B,both,3\nA,B\nA,,,5\n\n,B,right,6\n';
    expect(problemsOf(text)).toEqual([
      'line 3: "A" is compared with itself',
      'line 4: winner is "both", not left, right or tie',
      'line 6: 2 cells, where the header has 4',
      'line 7: right is empty',
      'line 7: winner is "", not left, right or tie',
      'line 9: left is empty',
    ]);
  });

  it.each([
    ['an empty file', '', 'line 1: the file is empty; it needs a header'],
    ['a header alone', 'left,right,winner\n', 'line 1: no verdict follows the header'],
    ['a missing column', 'left,right\nA,B\n', 'line 1: no column is named winner'],
    ['a column twice', 'left,right,winner,LEFT\nA,B,tie,C\n', 'line 1: 2 columns are named left'],
    ['an open quote', 'left,right,winner\nA,"B,tie\n', /^line \d: not CSV: Quote Not Closed/],
    ['another encoding', Buffer.from('left,right,winner\nÄ,B,tie\n', 'latin1'), 'the file is not UTF-8'],
    [
      'a group on some rows only',
      'left,right,winner,left_group,right_group\na,b,tie,A,B\na,c,tie,,C\n',
      'line 3: no group, though other rows have one',
    ],
    [
      'groups and items that cross',
      'left,right,winner,left_group,right_group\na,b,tie,1,2\na,b,tie,2,1\n',
      'line 3: items and groups cross; one must lie within the other',
    ],
    [
      'a cluster of two pairs of grouped items',
      'left,right,winner,cluster,left_group,right_group\na,b,tie,m,A,B\nb,a,tie,m,B,A\na,c,tie,m,A,B\n',
      'line 4: cluster "m" holds more than one pair',
    ],
  ])('%s is one problem, named', (_, text, problem) => {
    expect(problemsOf(text)[0]).toEqual(
      typeof problem === 'string' ? problem : expect.stringMatching(problem),
    );
  });

  it('past a thousand problems only their count is told: 1,500 bad rows, 500 more', () => {
    const problems = problemsOf(`left,right,winner\n${'A,B,x\n'.repeat(1500)}`);
    expect(problems).toHaveLength(1001);
    expect(problems.at(-1)).toBe('and 500 more');
  });
});

describe('co-scientist rate', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rate-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'verdicts.csv');
  // Nothing that a stack could start from: rate must not want one.
  const env = { CO_SCIENTIST_HOME: join(folder, 'home'), DATABASE_URL: 'postgres://127.0.0.1:1/none' };

  it("rates Wikipedia's data: D 1142, B 1007, C 928, A 922, without clusters, in JSON from stdin", async () => {
    const many = (left: string, right: string, won: number, lost: number) =>
      `${left},${right},left\n`.repeat(won) + `${left},${right},right\n`.repeat(lost);
    const stdin = `left,right,winner\n${many('A', 'B', 2, 3)}${many('A', 'D', 1, 4)}${many('B', 'C', 5, 3)}${many('C', 'D', 1, 3)}`;
    const { exitCode, stdout } = await runCli(['rate', '-', '--json'], env, { stdin });
    expect(exitCode).toBe(0);
    const { clustered, ratings } = JSON.parse(stdout);
    expect(clustered).toBe(false);
    expect(
      ratings.map(({ item, rating }: { item: string; rating: number }) => [item, Math.round(rating)]),
    ).toEqual([
      ['D', 1142],
      ['B', 1007],
      ['C', 928],
      ['A', 922],
    ]);
    expect(Object.keys(ratings[0])).toEqual(['item', 'rating', 'low', 'high', 'rankLow', 'rankHigh']);
  });

  it('replays Elo with K 32 from 1200: 1215.97, 1215.30, 1168.74', async () => {
    writeFileSync(file, 'left,right,winner\nP,B,left\nS,B,left\nP,S,tie\n');
    const args = ['rate', file, '--method', 'elo', '--k', '32', '--start', '1200', '--json'];
    const { stdout } = await runCli(args, env);
    const { ratings } = JSON.parse(stdout);
    [1215.9660918698, 1215.2976013366, 1168.7363067935].forEach((rating, k) => {
      expect(ratings[k].rating).toBeCloseTo(rating, 9);
    });
  });

  it('ends with 2 for bad rows and bad options, names them, and prints nothing on stdout', async () => {
    writeFileSync(file, 'left,right,winner\nA,A,left\nA,B,?\n');
    const rows = await runCli(['rate', file], env);
    expect(rows).toMatchObject({ exitCode: 2, stdout: '' });
    expect(rows.stderr).toContain('line 2: "A" is compared with itself\n  - line 3: winner is "?"');
    const options = await runCli(['rate', file, '--method', 'trueskill', '--k', '0'], env);
    expect(options.exitCode).toBe(2);
    expect(options.stderr).toMatch(/--method: "trueskill" is not bt or elo\n {2}- --k: "0" is not/);
  });
});
