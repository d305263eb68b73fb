import type { Element } from '@xmldom/xmldom';
import { normaliseDoi, parseArxivId } from '../article-ids';
import { SourceFailure } from '../failure';
import { type FoundDocument, NO_IDS } from '../findings';
import { attribute, child, children, parseXml, textOf } from '../strict-xml';

/** One page of arXiv's answer. */
export interface ArxivFeed {
  total: number;
  /** The query as arXiv ran it. */
  searchedAs: string | null;
  documents: FoundDocument[];
}

/**
 * Reads an Atom feed of the arXiv API. An error comes as an entry that looks like a paper; its id tells.
 * @throws SourceFailure
 */
export function readArxivFeed(text: string): ArxivFeed {
  const feed = parseXml(text);
  if (feed.localName !== 'feed') throw notAFeed(text);
  const entries = children(feed, 'entry');
  const error = entries.find((entry) => (textOf(child(entry, 'id')) ?? '').includes('/api/errors'));
  if (error)
    throw new SourceFailure('bad_query', null, { quoted: textOf(child(error, 'summary')) ?? 'Error' });
  const total = textOf(child(feed, 'totalResults'));
  if (total === null || !/^\d+$/.test(total))
    throw new SourceFailure('unreadable', 'The feed does not say how many papers match.');
  return {
    total: Number(total),
    searchedAs: textOf(child(feed, 'title')),
    documents: entries.map(readEntry),
  };
}

function notAFeed(text: string): SourceFailure {
  return /access denied/i.test(text)
    ? new SourceFailure('blocked', 'arXiv denies access at the moment.')
    : new SourceFailure('unreadable', 'It is not a feed.');
}

function readEntry(entry: Element): FoundDocument {
  const address = textOf(child(entry, 'id')) ?? '';
  const parsed = parseArxivId(address.replace(/^https?:\/\/arxiv\.org\/abs\//i, ''));
  if (!parsed) throw new SourceFailure('unreadable', 'An entry of the feed has no arXiv id.');
  const versioned = parsed.version === null ? parsed.id : `${parsed.id}v${parsed.version}`;
  const comment = textOf(child(entry, 'comment'));
  const summary = textOf(child(entry, 'summary'));
  const isWithdrawn = saysWithdrawn(comment, summary);
  const primary = attribute(child(entry, 'primary_category'), 'term');
  return {
    url: `https://arxiv.org/abs/${versioned}`,
    alsoAt: [],
    title: textOf(child(entry, 'title')),
    authors: children(entry, 'author').flatMap((author) => textOf(child(author, 'name')) ?? []),
    published: /^\d{4}-\d{2}-\d{2}/.exec(textOf(child(entry, 'published')) ?? '')?.[0] ?? null,
    venue: textOf(child(entry, 'journal_ref')) ?? (primary ? `arXiv ${primary}` : 'arXiv'),
    ids: { ...NO_IDS, arxivId: parsed.id, doi: normaliseDoi(textOf(child(entry, 'doi')) ?? '') },
    flags: isWithdrawn ? ['preprint', 'withdrawn'] : ['preprint'],
    remarks: [
      ...(parsed.version === null ? [] : [`Version ${parsed.version}.`]),
      ...(isWithdrawn ? ['The archive keeps the abstract; the paper itself may not be readable.'] : []),
    ],
    sections: [
      ...(comment ? [{ label: 'Comment of the authors', text: comment }] : []),
      ...(summary ? [{ label: null, text: summary }] : []),
    ],
  };
}

/**
 * No element says that a paper is withdrawn: the comment does, or the abstract was replaced by words that do. The word
 * alone means nothing: "we revisit a withdrawn claim" is not it.
 */
export function saysWithdrawn(comment: string | null, summary: string | null): boolean {
  const isSaidInComment =
    comment !== null &&
    (WITHDRAWN_SENTENCE.test(comment) ||
      /^\W*withdrawn\b/i.test(comment) ||
      /\bwithdrawn by (?:the |its )?(?:author|arxiv|submitter)/i.test(comment));
  return isSaidInComment || (summary !== null && isWithdrawalNotice(summary.slice(0, 250)));
}

const WITHDRAWN_SENTENCE =
  /\b(?:this|the) (?:paper|article|work|manuscript|submission|preprint|version|note|document)\b[^.]{0,40}\b(?:has been|have been|was|is)\s+(?:\w+ )?withdrawn\b/i;

function isWithdrawalNotice(opening: string): boolean {
  return (
    /^\W*(?:withdrawn\b|(?:this|the) (?:paper|article|work|manuscript|submission|preprint|note)\s+(?:has been|have been|was|is)\s+(?:\w+ )?withdrawn\b)/i.test(
      opening,
    ) ||
    /^\W*(?:this )?(?:\w+ )?(?:has been )?withdrawn by (?:the |its )?(?:author|arxiv|submitter)/i.test(
      opening,
    )
  );
}
