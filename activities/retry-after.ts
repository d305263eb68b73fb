/**
 * The wait a `Retry-After` asks for (RFC 9110, 10.2.3), in milliseconds: seconds, or a date. A header that is there twice
 * comes joined by a comma: its first number counts. Anything else says nothing; `Date.parse` would take "-1" and "5, 5"
 * for days long past, and so for leave to ask again at once.
 * @returns never below 0; null when it is absent or says nothing
 */
export function readRetryAfter(header: string | null, now: Date): number | null {
  const text = header?.trim() ?? '';
  const seconds = leadingNumber(text);
  if (seconds !== null) return seconds * 1000;
  const date = HTTP_DATE.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? null : Math.max(0, date - now.getTime());
}

/** The number that a header is, or that its first value is. */
export function leadingNumber(header: string | null): number | null {
  const found = /^(\d+(?:\.\d+)?)\s*(?:$|,)/.exec(header ?? '')?.[1];
  return found === undefined ? null : Number(found);
}

/** "Sun, 06 Nov 1994 08:49:37 GMT" and the two obsolete forms, which begin with a day of the week too (RFC 9110, 5.6.7). */
const HTTP_DATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)/;
