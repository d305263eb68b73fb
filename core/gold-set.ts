/** An answer key: entities that a good answer might name. Candidates and judges never see it. */
export interface GoldSet {
  name: string;
  version: number;
  source: { title: string; publisher: string; id: string; url: string };
  /** `YYYY-MM-DD`: the answers are public since then, so a later model may have read them. */
  publishedOn: string;
  /** By what the entities were selected. */
  criteria: string[];
  entities: GoldEntity[];
}

export interface GoldEntity {
  name: string;
  /** Other names that count as well; a class of drugs never does. */
  aliases: string[];
}
