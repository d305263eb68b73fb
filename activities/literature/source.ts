import type { HostSlots } from '../../db/host-slots';
import type { LiteratureCache } from '../../db/literature-cache';
import type { ToolSpec } from '../providers/provider';
import type { FailureKind } from './failure';
import type { LiteratureHttp } from './literature-http';

/** One tool of the pipeline mode: a search in one place, or the fetching of one page. */
export interface LiteratureSource {
  tool: ToolSpec;
  /**
   * Runs it once. Bad arguments and everything that may go wrong outside are answers.
   * @throws only the signal's reason when it is aborted, and failures of our own database
   */
  run(args: unknown, context: LiteratureContext): Promise<ToolAnswer>;
}

/** What a source works with; a test hands in its own. */
export interface LiteratureContext {
  signal: AbortSignal;
  http: LiteratureHttp;
  slots: HostSlots;
  cache: LiteratureCache;
  withheld: readonly WithheldPaper[];
  /** For the date of retrieval and of `Retry-After`; waiting is timed by other clocks. */
  now: () => Date;
}

/**
 * How it ended. An empty list stands only in `nothing_found`, which only a well-formed answer can give.
 * `refused`: a rule of the other side or of ours says no. `failed`: there is no usable answer.
 */
export type Outcome = 'found' | 'nothing_found' | 'part_found' | 'refused' | 'failed';

export interface ToolAnswer {
  outcome: Outcome;
  /** Set when `refused` or `failed`. */
  failureKind?: FailureKind;
  /** What the model sees. Text from outside stands in lines that begin with `>`. */
  text: string;
  documents: LiteratureDocument[];
  /** Whether the answer was received before, for this or another asker. */
  cached: boolean;
  /** Documents and pages held back because they are a source of the answer key. */
  withheldCount: number;
}

/** A document as the model was shown it. */
export interface LiteratureDocument {
  url: string;
  /** One form for all records of a work: by DOI, else PMID, PMCID, arXiv id, else the normalised URL. */
  canonicalUrl: string;
  title: string;
  ids: WorkIds;
  flags: DocumentFlag[];
  /** The words shown to the model, without the quote marks. */
  excerpt: string;
  /** Other addresses of the same work, normalised; with `canonicalUrl` they are what may be cited. */
  alsoAt: string[];
}

/** Normalised; null where the record names none. */
export interface WorkIds {
  /** Lower case, without resolver. */
  doi: string | null;
  /** Digits without leading zeros. */
  pmid: string | null;
  /** `PMC` and digits. */
  pmcid: string | null;
  /** Without version. */
  arxivId: string | null;
}

export type DocumentFlag =
  | 'retracted'
  | 'partly_retracted'
  | 'concern' // an expression of concern
  | 'withdrawn'
  | 'preprint'
  | 'notice' // a retraction notice, an erratum: about a paper, not a paper
  | 'patent'
  | 'bundled'; // of the project's own set: written for it, not published

/** A paper that holds the answer key: results that are it are dropped, and it is not fetched. */
export interface WithheldPaper {
  doi: string | null;
  arxivId: string | null;
  pmid: string | null;
  titles: string[];
}
