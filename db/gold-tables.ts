import type { ColumnType } from 'kysely';
import type { GoldSet } from '../core/gold-set';
import type { GoldScore } from '../core/report/gold-rescore';
import type { GoldSetOrigin, RescoreHit } from '../core/report/recorded-bench';
import type { Json } from './json-column';

/** Tables of gold sets: what benches hit, while they ran and after the fact. */
export interface GoldTables {
  bench_gold_hits: GoldHitsTable;
  bench_rescores: RescoresTable;
}

export interface GoldHitsTable {
  hypothesis_id: string;
  gold_set: string;
  entity: string;
  field: string;
  bench_id: string;
  alias: string;
  kind: 'proposed' | 'mentioned';
  excerpt: string;
  /** Where the hypothesis' model met the entity first: in its own words, a tool's answer, or our prompt. */
  origin: 'model' | 'tool' | 'prompt';
  /** URL of the document that brought it, for `tool`. */
  origin_document: string | null;
}

/** A bench held against a gold set after the fact; beside `bench_gold_hits`, which is what it was scored by. */
export interface RescoresTable {
  bench_id: string;
  gold_set: string;
  version: number;
  origin: GoldSetOrigin;
  /** The set as it was then. */
  definition: Json<GoldSet>;
  candidates: Json<GoldScore[]>;
  hits: Json<RescoreHit[]>;
  rescored_at: ColumnType<Date, Date | string | undefined, Date | string>;
}
