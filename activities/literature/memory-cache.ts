import { cacheKey, type LiteratureCache } from '../../db/literature-cache';

/** Answers remembered by one process without a database. */
export function createMemoryCache(): LiteratureCache {
  const rows = new Map<string, { answer: string; expiresAt: number }>();
  const fresh = (key: string): string | null => {
    const row = rows.get(key);
    return row && row.expiresAt > performance.now() ? row.answer : null;
  };
  return {
    async get(question) {
      const answer = fresh(cacheKey(question));
      return answer === null ? null : JSON.parse(answer);
    },
    async put(question, answer, ttlMs) {
      const key = cacheKey(question);
      const standing = fresh(key);
      if (standing !== null) return JSON.parse(standing);
      const text = JSON.stringify(answer);
      rows.set(key, { answer: text, expiresAt: performance.now() + ttlMs });
      return JSON.parse(text);
    },
  };
}
