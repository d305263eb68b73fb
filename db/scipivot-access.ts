import { sql } from 'kysely';
import { BENCH_ROLES } from './cluster';
import type { Database } from './database';
import { SECRET_TABLES } from './roles';

/** What the role of a connection may do with answer keys. */
export interface KeyAccess {
  /** `current_user`. */
  role: string;
  /** Whether it could read any label, in any way: a worker that runs candidates must not. */
  readsAny: boolean;
  /** Everything a grader needs. */
  readsAll: boolean;
}

/**
 * Whether this connection's role could get at any label: by a right of its own or of a role it belongs to, as a
 * superuser, or by becoming the owner of the tables.
 */
export async function readKeyAccess(db: Database): Promise<KeyAccess> {
  const { rows } = await sql<KeyAccess>`
    SELECT current_user AS role,
           bool_or(has_any_column_privilege(current_user, c.oid, 'SELECT')
                   OR pg_has_role(current_user, c.relowner, 'MEMBER')) AS "readsAny",
           bool_and(has_table_privilege(current_user, c.oid, 'SELECT')) AS "readsAll"
      FROM pg_class c
     WHERE c.relnamespace = current_schema()::regnamespace AND c.relname = ANY (${[...SECRET_TABLES]})`.execute(
    db,
  );
  const [access] = rows;
  if (!access) throw new Error('SciΠvot: no answer of Postgres on the rights of this role');
  return access;
}

/** What a database needs so that workers cannot read answer keys: to be run once, by a superuser. */
export function roleStatements(): string[] {
  const [owner, worker, grader] = BENCH_ROLES;
  return [
    ...BENCH_ROLES.map((role) => `CREATE ROLE ${role} LOGIN PASSWORD '…';`),
    'CREATE EXTENSION IF NOT EXISTS pg_trgm;',
    `GRANT CREATE, USAGE ON SCHEMA public TO ${owner};`,
    '-- tables and functions that another role has made so far:',
    `DO $$ DECLARE t text; f regprocedure; BEGIN`,
    `  FOR t IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename LIKE 'bench\\_%' LOOP`,
    `    EXECUTE format('ALTER TABLE public.%I OWNER TO ${owner}', t);`,
    '  END LOOP;',
    `  FOR f IN SELECT oid FROM pg_proc`,
    `    WHERE pronamespace = 'public'::regnamespace AND proname LIKE 'bench\\_%' LOOP`,
    `    EXECUTE format('ALTER FUNCTION %s OWNER TO ${owner}', f);`,
    '  END LOOP; END $$;',
    `-- then DATABASE_OWNER_URL as ${owner}, DATABASE_URL as ${worker}, DATABASE_GRADER_URL as ${grader}, and:`,
    '-- co-scientist migrate',
  ];
}
