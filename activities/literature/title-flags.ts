import type { DocumentFlag } from './source';

/** A publisher's mark often stands only in the title of the page: `RETRACTED: …`, `Retraction: …`. */
export function titleFlags(title: string): DocumentFlag[] {
  const text = title.trim();
  if (/^\W*retracted(?:\s+(?:article|paper|chapter))?\s*[:\]–—-]/i.test(text)) return ['retracted'];
  if (/^\W*withdrawn(?:\s+(?:article|paper))?\s*[:\]–—-]/i.test(text)) return ['withdrawn'];
  if (/^\W*expression of concern\s*[:\]–—-]/i.test(text)) return ['notice'];
  if (/^\W*(?:retraction(?: notice| note)?|corrigendum|erratum)\s*(?:to)?\s*[:\]–—-]/i.test(text))
    return ['notice'];
  return [];
}
