import type { Outcome } from './source';

/** Ways in which a tool can end without documents; what the model is told of each. */
export type FailureKind = keyof typeof FAILURES;

interface FailureMeaning {
  outcome: Extract<Outcome, 'refused' | 'failed'>;
  /** Whether asking the same again within this call may help. */
  isRetryable: boolean;
  says: string;
}

export const FAILURES = {
  bad_arguments: refused('the arguments are not as the tool describes them'),
  bad_query: refused('the source does not accept this query'),
  bad_url: refused('only public http and https addresses on their usual ports can be fetched'),
  unknown_tool: refused('there is no such tool'),
  withheld: refused('withheld from this bench'),
  refused_address: refused('the address is not on the public internet'),
  robots: refused('the site asks programs not to fetch this page (robots.txt)'),
  blocked: refused('the site answered with a barrier (sign-in, cookie or robot check) instead of the page'),
  unsupported_type: refused('this kind of file cannot be read'),
  too_large: refused('the document is larger than what is read'),
  too_deep: refused('the page is nested too deeply to be read'),
  too_many_redirects: refused('the address leads from redirect to redirect'),
  unauthorized: refused('the source did not accept the key of this installation'),
  quota: refused('the quota of this installation is used up'),
  host_busy: refused('more calls wait for this source than it may be asked; try another source or later'),
  rate_limited: refused('too many requests at the moment; try another source or later', 'retryable'),
  not_found: failed('there is no such page or record'),
  no_full_text: failed('no open full text of this work is available'),
  no_text: failed('the document holds no text that can be read'),
  timeout: failed('no answer in time', 'retryable'),
  network: failed('the connection failed', 'retryable'),
  server_error: failed('the source failed', 'retryable'),
  unreadable: failed('the answer of the source could not be read', 'retryable'),
} satisfies Record<string, FailureMeaning>;

/** A tool's failure on its way to becoming an answer. Carries no URL with parameters, no header, no key. */
export class SourceFailure extends Error {
  constructor(
    readonly kind: FailureKind,
    /** One sentence more for the model, our own words. */
    readonly note: string | null = null,
    readonly details: {
      /** Asked for by the source, uncapped. */
      retryAfterMs?: number;
      /** The source's own words; shown quoted. */
      quoted?: string;
      /** Set where the kind's default is wrong for this case. */
      isRetryable?: boolean;
    } = {},
  ) {
    super(note ? `${kind}: ${note}` : kind);
    this.name = 'SourceFailure';
  }

  get isRetryable(): boolean {
    return this.details.isRetryable ?? FAILURES[this.kind].isRetryable;
  }
}

function refused(says: string, retry: 'retryable' | 'final' = 'final'): FailureMeaning {
  return { outcome: 'refused', isRetryable: retry === 'retryable', says };
}

function failed(says: string, retry: 'retryable' | 'final' = 'final'): FailureMeaning {
  return { outcome: 'failed', isRetryable: retry === 'retryable', says };
}
