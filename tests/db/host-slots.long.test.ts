import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { createPostgresSlots, HostBusy, type HostPolicy, postgresSlotBook } from '../../db/host-slots';
import { asJson, asXml, type LiteratureDouble, startLiteratureDouble } from '../doubles/literature-double';
import { testDatabaseOfFile } from '../stack/test-database';

const database = testDatabaseOfFile();
const db = database.open('worker', { maxConnections: 20 });

const HOUR_MS = 3_600_000;
const policy = (host: string, more: Partial<HostPolicy> = {}): HostPolicy => ({
  host,
  gapMs: 1000,
  slackMs: 100,
  leaseMs: null,
  ...more,
});
const { signal } = new AbortController();

/** Milliseconds from now to the host's next free instant, by the database's clock. */
async function nextInMs(host: string): Promise<number> {
  const { rows } = await sql<{ ms: number }>`
    SELECT (extract(epoch FROM next_at - clock_timestamp()) * 1000)::float8 AS ms FROM bench_host_slots
     WHERE host = ${host}`.execute(db);
  return rows[0]!.ms;
}

describe('turns', () => {
  test('40 callers at once on a new host take 40 turns: the last is 39 gaps after the first', async () => {
    const book = postgresSlotBook(db);
    const wanted = policy('crowd.test', { gapMs: 60_000 });
    const bookOnce = async (owner: number) => {
      for (;;) {
        const booking = await book.book(wanted, String(owner), HOUR_MS);
        if (booking.kind === 'turn') return booking.inMs;
      }
    };
    const turns = await Promise.all(Array.from({ length: 40 }, (_, owner) => bookOnce(owner)));
    const minutes = turns.map((ms) => Math.round(ms / 60_000)).sort((a, b) => a - b);
    expect(minutes).toEqual(Array.from({ length: 40 }, (_, n) => n));
    expect(Math.round((await nextInMs('crowd.test')) / 60_000)).toBe(40);
  });

  test('a turn beyond the caller’s patience is not booked: the next free instant stays where it was', async () => {
    const slots = createPostgresSlots(db);
    const wanted = policy('patience.test', { gapMs: 60_000 });
    await slots.take(wanted, { signal, maxWaitMs: 0 });
    const before = await nextInMs('patience.test');
    await expect(slots.take(wanted, { signal, maxWaitMs: 1000 })).rejects.toThrow(HostBusy);
    expect(await nextInMs('patience.test')).toBeLessThanOrEqual(before);
  });

  test('a host that was idle for long owes nothing: the next turn is now, and only one', async () => {
    const slots = createPostgresSlots(db);
    await sql`INSERT INTO bench_host_slots (host, next_at) VALUES ('idle.test', now() - interval '1 hour')`.execute(
      db,
    );
    await slots.take(policy('idle.test', { gapMs: 60_000 }), { signal, maxWaitMs: 0 });
    expect(Math.round((await nextInMs('idle.test')) / 60_000)).toBe(1);
  });

  test('a host that asked for quiet gets it; a shorter wish does not shorten a longer one', async () => {
    const slots = createPostgresSlots(db);
    await slots.take(policy('quiet.test'), { signal, maxWaitMs: 0 });
    await slots.defer('quiet.test', 600_000);
    await slots.defer('quiet.test', 1_000);
    expect(Math.round((await nextInMs('quiet.test')) / 60_000)).toBe(10);
  });

  test('giving up while waiting throws the caller’s reason', async () => {
    const slots = createPostgresSlots(db);
    const controller = new AbortController();
    await slots.take(policy('abort.test', { gapMs: 60_000 }), { signal, maxWaitMs: 0 });
    const waiting = slots.take(policy('abort.test'), { signal: controller.signal, maxWaitMs: HOUR_MS });
    setTimeout(() => controller.abort(new Error('shutdown')), 50);
    await expect(waiting).rejects.toThrow('shutdown');
  });
});

describe('the lease of a host with one connection', () => {
  const leased = (host: string) => policy(host, { gapMs: 0, leaseMs: 60_000 });

  test('is held by one of 20 that ask at once', async () => {
    const book = postgresSlotBook(db);
    await book.book(leased('lease.test'), 'nobody', 0); // makes the host known
    await book.release('lease.test', 'nobody');
    const bookings = await Promise.all(
      Array.from({ length: 20 }, (_, owner) => book.book(leased('lease.test'), `owner-${owner}`, 1000)),
    );
    const kinds = bookings.map(({ kind }) => kind).sort();
    expect(kinds.filter((kind) => kind === 'turn')).toHaveLength(1);
    expect(kinds.filter((kind) => kind === 'leased')).toHaveLength(19);
  });

  test('is not freed by another; freed by its holder it is taken at once', async () => {
    const book = postgresSlotBook(db);
    const wanted = leased('free.test');
    const bookFor = async (owner: string) => (await book.book(wanted, owner, 1000)).kind;
    expect(await bookFor('a')).toBe('turn');
    expect(await bookFor('a')).toBe('leased');
    await book.release('free.test', 'b');
    expect(await bookFor('b')).toBe('leased');
    await book.release('free.test', 'a');
    expect(await bookFor('b')).toBe('turn');
  });

  test('of a holder that died ends by itself', async () => {
    const book = postgresSlotBook(db);
    await sql`INSERT INTO bench_host_slots (host, next_at, lease_owner, lease_until)
              VALUES ('dead.test', now(), 'dead', now() - interval '1 second')`.execute(db);
    expect(await book.book(leased('dead.test'), 'heir', 1000)).toMatchObject({ kind: 'turn' });
  });

  test('is given back when its holder gives up waiting for the turn', async () => {
    const slots = createPostgresSlots(db);
    await sql`INSERT INTO bench_host_slots (host, next_at) VALUES ('wait.test', now() + interval '30 seconds')`.execute(
      db,
    );
    const controller = new AbortController();
    const waiting = slots.take(leased('wait.test'), { signal: controller.signal, maxWaitMs: 60_000 });
    setTimeout(() => controller.abort(new Error('shutdown')), 100);
    await expect(waiting).rejects.toThrow('shutdown');
    const { rows } = await sql<{ lease_owner: string | null }>`
      SELECT lease_owner FROM bench_host_slots WHERE host = 'wait.test'`.execute(db);
    expect(rows).toEqual([{ lease_owner: null }]);
  });
});

describe('four worker processes at one host', () => {
  let double: LiteratureDouble;
  beforeAll(async () => {
    double = await startLiteratureDouble();
  });
  afterAll(() => double.close());

  /** Starts the four side by side, each with queries of its own, and gives all their outcomes. */
  async function runFour(tool: string, queriesEach: number): Promise<string[]> {
    const script = join(__dirname, '../doubles/literature-worker.ts');
    const env = {
      ...process.env,
      NODE_OPTIONS: '',
      DATABASE_URL: database.workerUrl,
      PUBMED_BASE_URL: `${double.origin}/eutils/`,
      ARXIV_BASE_URL: `${double.origin}/arxiv/`,
    };
    const printed = await Promise.all(
      [1, 2, 3, 4].map((worker) => {
        const queries = Array.from({ length: queriesEach }, (_, n) => `worker${worker} query${n}`);
        return promisify(execFile)(process.execPath, ['--require', 'tsx/cjs', script, tool, ...queries], {
          env,
        });
      }),
    );
    return printed.flatMap(({ stdout }) => JSON.parse(stdout) as string[]);
  }

  test('send 16 PubMed requests of which no 4 fall within one second (NCBI: 3 a second without a key)', async () => {
    double.answer('/eutils/esearch.fcgi', asJson({ esearchresult: { count: '1', idlist: ['5'] } }));
    double.answer(
      '/eutils/efetch.fcgi',
      asXml(
        '<PubmedArticleSet><PubmedArticle><MedlineCitation><PMID>5</PMID><Article><ArticleTitle>T</ArticleTitle></Article></MedlineCitation></PubmedArticle></PubmedArticleSet>',
      ),
    );
    expect(await runFour('search_pubmed', 2)).toEqual(Array(8).fill('found'));
    const times = double.requests.map(({ at }) => at);
    expect(times).toHaveLength(16);
    const spans = times.slice(3).map((at, index) => at - times[index]!);
    expect(Math.min(...spans)).toBeGreaterThan(1000);
  });

  test('send 4 arXiv requests, 3 s apart at the least, over one connection at a time', async () => {
    const entry =
      '<entry><id>http://arxiv.org/abs/2301.00001v1</id><title>T</title><summary>S</summary><published>2023-01-01T00:00:00Z</published></entry>';
    double.answer('/arxiv/api/query', {
      ...asXml(
        `<feed xmlns="http://www.w3.org/2005/Atom" xmlns:o="http://a9.com/-/spec/opensearch/1.1/"><o:totalResults>1</o:totalResults>${entry}</feed>`,
      ),
      delayMs: 400,
    });
    Object.assign(double.most, { connections: 0, inFlight: 0 });
    expect(await runFour('search_arxiv', 1)).toEqual(Array(4).fill('found'));
    const times = double.requestsTo('/arxiv/api/query').map(({ at }) => at);
    expect(times).toHaveLength(4);
    expect(Math.min(...times.slice(1).map((at, index) => at - times[index]!))).toBeGreaterThan(3000);
    expect(double.most).toEqual({ connections: 1, inFlight: 1 });
  });
});
