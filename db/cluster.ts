import { Client, escapeIdentifier, escapeLiteral } from 'pg';

/** The bench's three roles: migrations; everything a worker does; what knows the answer keys. */
export const BENCH_ROLES = ['bench_owner', 'bench_worker', 'bench_grader'] as const;
export type BenchRole = (typeof BENCH_ROLES)[number];

/**
 * Makes the three roles on a server, or gives those that stand there these passwords. Idempotent.
 * @param superuserUrl URL of any database of the server, as a superuser
 */
export async function prepareRoles(
  superuserUrl: string,
  passwords: Record<BenchRole, string>,
): Promise<void> {
  await withClient(superuserUrl, async (client) => {
    const { rows } = await client.query<{ name: string }>('SELECT rolname AS name FROM pg_roles');
    const standing = new Set(rows.map((row) => row.name));
    for (const role of BENCH_ROLES) {
      const verb = standing.has(role) ? 'ALTER' : 'CREATE';
      const password = escapeLiteral(passwords[role]);
      await client.query(`${verb} ROLE ${escapeIdentifier(role)} LOGIN PASSWORD ${password}`);
    }
  });
}

/** The statement that gives a superuser another password, for a server's single-user mode. */
export function superuserPasswordStatement(role: string, password: string): string {
  return `ALTER ROLE ${escapeIdentifier(role)} PASSWORD ${escapeLiteral(password)}`;
}

/**
 * Makes a database that `bench_owner` owns, unless it stands.
 * @param superuserUrl URL of any other database of the server, as a superuser
 * @param template a database to copy; nobody may be connected to it
 */
export async function createDatabase(superuserUrl: string, name: string, template?: string): Promise<void> {
  await withClient(superuserUrl, async (client) => {
    const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [name]);
    if (rowCount) return;
    const source = escapeIdentifier(template ?? 'template1');
    await client.query(`CREATE DATABASE ${escapeIdentifier(name)} OWNER bench_owner TEMPLATE ${source}`);
  });
}

/** Drops a database with whoever is connected to it, if it stands. */
export async function dropDatabase(superuserUrl: string, name: string): Promise<void> {
  await withClient(superuserUrl, async (client) => {
    await client.query(`DROP DATABASE IF EXISTS ${escapeIdentifier(name)} WITH (FORCE)`);
  });
}

/**
 * Adds the trigram extension to a database, where the server has it.
 * @returns whether the database has it now
 */
export async function addTrigrams(superuserUrl: string): Promise<boolean> {
  return withClient(superuserUrl, async (client) => {
    const { rowCount } = await client.query("SELECT 1 FROM pg_available_extensions WHERE name = 'pg_trgm'");
    if (rowCount) await client.query('CREATE EXTENSION IF NOT EXISTS pg_trgm');
    return Boolean(rowCount);
  });
}

/**
 * What the server says it is, as in `18.4`.
 * @throws the connection's error when it cannot be reached or refuses
 */
export async function serverVersion(url: string): Promise<string> {
  return withClient(url, async (client) => {
    const { rows } = await client.query<{ server_version: string }>('SHOW server_version');
    return rows[0]?.server_version ?? 'unknown';
  });
}

async function withClient<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  client.on('error', () => undefined); // a query under way rejects by itself
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}
