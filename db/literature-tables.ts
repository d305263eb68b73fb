import type { ColumnType } from 'kysely';

/** Tables of the literature gateway; no bench owns their rows. */
export interface LiteratureTables {
  bench_host_slots: HostSlotsTable;
  bench_literature_cache: LiteratureCacheTable;
}

/** One row a host and credential: when it may be asked next, and who holds its one connection. */
export interface HostSlotsTable {
  host: string;
  next_at: Date;
  lease_owner: string | null;
  lease_until: Date | null;
}

/** One row a question: what the first asker received is what everyone gets until it expires. */
export interface LiteratureCacheTable {
  /** SHA-256 of the canonical request. */
  key: string;
  tool: string;
  request: ColumnType<unknown, string, string>;
  answer: ColumnType<unknown, string, string>;
  received_at: Date;
  expires_at: Date;
  hits: number;
  last_hit_at: Date | null;
}
