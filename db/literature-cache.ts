import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { compareText } from '../core/compare-text';
import type { Database } from './database';
import { toJsonb, toStorable } from './storable-text';

/** What was asked, in a form in which the same question is the same text. */
export interface CanonicalRequest {
  tool: string;
  /** JSON; its keys are sorted before hashing. Holds no credential. */
  request: Record<string, unknown>;
}

/** Answers that all candidates share: the same question gets the same documents for everyone. */
export interface LiteratureCache {
  /** The stored answer, counted as a hit; null when there is none or it has expired. */
  get(question: CanonicalRequest): Promise<unknown>;
  /**
   * Stores an answer, unless another asker was faster.
   * @returns the answer that stands: the faster one's or this one. Strings come back storable (no NUL).
   */
  put(question: CanonicalRequest, answer: unknown, ttlMs: number): Promise<unknown>;
}

export function createPostgresCache(db: Database): LiteratureCache {
  return {
    async get(question) {
      const { rows } = await sql<{ answer: unknown }>`
        UPDATE bench_literature_cache SET hits = hits + 1, last_hit_at = clock_timestamp()
         WHERE key = ${cacheKey(question)} AND expires_at > clock_timestamp()
        RETURNING answer`.execute(db);
      return rows[0]?.answer ?? null;
    },
    async put(question, answer, ttlMs) {
      const { rows } = await sql<{ answer: unknown }>`
        INSERT INTO bench_literature_cache AS c (key, tool, request, answer, received_at, expires_at)
        VALUES (${cacheKey(question)}, ${question.tool}, ${toJsonb(question.request)}::jsonb,
                ${toJsonb(answer)}::jsonb, clock_timestamp(),
                clock_timestamp() + make_interval(secs => ${ttlMs / 1000}::float8))
        ON CONFLICT (key) DO UPDATE
           SET answer = CASE WHEN c.expires_at > clock_timestamp() THEN c.answer ELSE excluded.answer END,
               received_at = CASE WHEN c.expires_at > clock_timestamp() THEN c.received_at
                                  ELSE excluded.received_at END,
               expires_at = CASE WHEN c.expires_at > clock_timestamp() THEN c.expires_at
                                 ELSE excluded.expires_at END
        RETURNING answer`.execute(db);
      return rows[0]?.answer ?? toStorable(answer);
    },
  };
}

/** Deletes what has expired. @returns how many rows went */
export async function deleteExpiredAnswers(db: Database): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('bench_literature_cache')
    .where('expires_at', '<=', sql<Date>`clock_timestamp()`)
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/** SHA-256 in hexadecimal of the tool and the request with sorted keys. */
export function cacheKey({ tool, request }: CanonicalRequest): string {
  return createHash('sha256')
    .update(JSON.stringify([tool, sortKeys(request)]))
    .digest('hex');
}

function sortKeys(value: unknown): unknown {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map(sortKeys);
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => compareText(a, b))
      .map(([key, item]) => [key, sortKeys(item)]),
  );
}
