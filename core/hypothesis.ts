import type { CitationMark } from './citation-marks';

/** What a candidate proposes: the arguments of `record_hypothesis`, once they have passed its schema. */
export interface HypothesisRecord {
  title: string;
  summary: string;
  fullText: string;
  mechanism: string;
  /** Compounds, genes, pathways: the names the idea stands or falls with. */
  entities: string[];
  citations: Citation[];
  /** One experiment that could prove it wrong. */
  falsification: string;
}

export interface Citation {
  url: string;
  title: string;
  /** The words cited. */
  excerpt: string;
  /** Not the model's: what a tool's answer had said against the work. Left out where it said nothing. */
  marks?: CitationMark[] | undefined;
}
