import type { HostPolicy } from '../../../db/host-slots';
import type { SourceFailure } from '../failure';
import type { JsonObject } from '../json-answer';
import type { HttpAnswer, HttpRequest } from '../literature-http';

/** A web search service, set by the operator's environment. */
export interface WebSearchService {
  /** As it stands in the cache's question: results of two services are not the same. */
  name: string;
  policy: HostPolicy;
  request(query: string, maxResults: number): Pick<HttpRequest, 'url' | 'method' | 'headers' | 'body'>;
  /** The service's own ways to say no, for any status; null when the status alone decides. */
  refusal(answer: HttpAnswer, body: JsonObject | null): SourceFailure | null;
  /** Hits of a good answer; null when it is not of the documented shape. */
  hits(body: JsonObject): WebHit[] | null;
}

export interface WebHit {
  title: string;
  url: string;
  /** Cut page text, not a quotation. */
  snippet: string;
  /** `YYYY-MM-DD`; null when the service does not say. */
  published: string | null;
}

/** The day that a date text begins with; null for other forms, which are not guessed at. */
export function isoDay(text: string | null): string | null {
  return /^\d{4}-\d{2}-\d{2}/.exec(text ?? '')?.[0] ?? null;
}
