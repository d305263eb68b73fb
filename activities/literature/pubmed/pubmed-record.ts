import type { Element } from '@xmldom/xmldom';
import { normaliseDoi, normalisePmcid, normalisePmid } from '../article-ids';
import { type FoundDocument, NO_IDS, type Section } from '../findings';
import { NOTICE_TYPES } from '../notice-types';
import type { DocumentFlag, WorkIds } from '../source';
import { attribute, child, children, textOf } from '../strict-xml';

/**
 * One record of a `PubmedArticleSet`: an article (`PubmedArticle`) or a book chapter (`PubmedBookArticle`).
 * @returns null for anything else, and for a record without PMID
 */
export function readPubmedRecord(record: Element): FoundDocument | null {
  switch (record.localName) {
    case 'PubmedArticle':
      return readArticle(record);
    case 'PubmedBookArticle':
      return readBook(record);
    default:
      return null;
  }
}

function readArticle(record: Element): FoundDocument | null {
  const citation = child(record, 'MedlineCitation');
  const article = child(citation, 'Article');
  const pmid = normalisePmid(textOf(child(citation, 'PMID')) ?? '');
  if (!pmid || !article) return null;
  const elocation = children(article, 'ELocationID').find(
    (id) => attribute(id, 'EIdType') === 'doi' && attribute(id, 'ValidYN') !== 'N',
  );
  const ids = readIds(child(record, 'PubmedData', 'ArticleIdList'), pmid, textOf(elocation ?? null));
  const original = textOf(child(article, 'VernacularTitle'));
  return {
    ...pubmedDocument(ids, pmid),
    title: textOf(child(article, 'ArticleTitle')) ?? original,
    authors: readAuthors(children(article, 'AuthorList')),
    published:
      readDate(child(article, 'Journal', 'JournalIssue', 'PubDate')) ??
      readDate(child(article, 'ArticleDate')),
    venue:
      textOf(child(article, 'Journal', 'Title')) ??
      textOf(child(citation, 'MedlineJournalInfo', 'MedlineTA')),
    flags: readFlags(citation, article),
    remarks: readRemarks(article),
    sections: readAbstract(child(article, 'Abstract')),
  };
}

function readBook(record: Element): FoundDocument | null {
  const book = child(record, 'BookDocument');
  const pmid = normalisePmid(textOf(child(book, 'PMID')) ?? '');
  if (!book || !pmid) return null;
  const ids = readIds(child(book, 'ArticleIdList'), pmid, null);
  return {
    ...pubmedDocument(ids, pmid),
    title: textOf(child(book, 'ArticleTitle')) ?? textOf(child(book, 'Book', 'BookTitle')),
    authors: readAuthors(
      children(book, 'AuthorList').filter((list) => attribute(list, 'Type') !== 'editors'),
    ),
    // `Book/PubDate` may be the first year of a series that goes on for decades.
    published:
      readDate(child(book, 'DateRevised')) ??
      readDate(child(book, 'ContributionDate')) ??
      readDate(child(book, 'Book', 'PubDate')),
    venue: textOf(child(book, 'Book', 'BookTitle')),
    flags: [],
    remarks: [],
    sections: readAbstract(child(book, 'Abstract')),
  };
}

function pubmedDocument(ids: WorkIds, pmid: string): Pick<FoundDocument, 'url' | 'alsoAt' | 'ids'> {
  return { url: `https://pubmed.ncbi.nlm.nih.gov/${pmid}/`, alsoAt: [], ids };
}

/** Only the list directly under the record: lists further down hold the ids of papers it cites. */
function readIds(list: Element | null, pmid: string, elocationDoi: string | null): WorkIds {
  const byType = (type: string): string | null =>
    textOf(children(list, 'ArticleId').find((id) => attribute(id, 'IdType') === type) ?? null);
  return {
    ...NO_IDS,
    pmid,
    doi: normaliseDoi(byType('doi') ?? '') ?? normaliseDoi(elocationDoi ?? ''),
    pmcid: normalisePmcid(byType('pmc') ?? ''),
  };
}

function readAuthors(lists: Element[]): string[] {
  return lists
    .flatMap((list) => children(list, 'Author'))
    .filter((author) => attribute(author, 'ValidYN') !== 'N')
    .map((author) => {
      const collective = textOf(child(author, 'CollectiveName'));
      const parts = ['ForeName', 'LastName', 'Suffix'].map((part) => textOf(child(author, part)));
      return collective ?? parts.filter((part) => part !== null).join(' ');
    })
    .filter((name) => name !== '');
}

/** `Year` with `Month` by name or number, or the first year of a `MedlineDate`; null when it says neither. */
function readDate(date: Element | null): string | null {
  const year = textOf(child(date, 'Year')) ?? textOf(child(date, 'MedlineDate'));
  const digits = /\d{4}/.exec(year ?? '')?.[0];
  if (!digits) return null;
  const month = monthNumber(textOf(child(date, 'Month')) ?? '');
  if (!month) return digits;
  const day = /^\d{1,2}$/.exec(textOf(child(date, 'Day')) ?? '')?.[0];
  return [digits, month, day?.padStart(2, '0')].filter((part) => part !== undefined).join('-');
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

function monthNumber(text: string): string | null {
  const byName = MONTHS.indexOf(text.slice(0, 3).toLowerCase()) + 1;
  const number = byName || Number(/^\d{1,2}$/.exec(text)?.[0] ?? 0);
  return number >= 1 && number <= 12 ? String(number).padStart(2, '0') : null;
}

const NOTICE_REFS = ['RetractionOf', 'PartialRetractionOf', 'ErratumFor', 'ExpressionOfConcernFor'];

/** Titles are no guide: publication types and links are. A notice is not itself retracted. */
function readFlags(citation: Element | null, article: Element): DocumentFlag[] {
  const types = children(child(article, 'PublicationTypeList'), 'PublicationType');
  const names = types.map((type) => (textOf(type) ?? '').toLowerCase());
  const refs = children(child(citation, 'CommentsCorrectionsList'), 'CommentsCorrections').map((link) =>
    attribute(link, 'RefType'),
  );
  const isRetracted =
    names.includes('retracted publication') || types.some((type) => attribute(type, 'UI') === 'D016441');
  const isNotice =
    names.some((name) => NOTICE_TYPES.includes(name)) || refs.some((ref) => NOTICE_REFS.includes(ref ?? ''));
  const flags: [boolean, DocumentFlag][] = [
    [isRetracted || refs.includes('RetractionIn'), 'retracted'],
    [refs.includes('PartialRetractionIn'), 'partly_retracted'],
    [refs.includes('ExpressionOfConcernIn'), 'concern'],
    [names.includes('preprint'), 'preprint'],
    [isNotice, 'notice'],
  ];
  return flags.filter(([isSet]) => isSet).map(([, flag]) => flag);
}

function readRemarks(article: Element): string[] {
  const title = textOf(child(article, 'ArticleTitle')) ?? '';
  const languages = children(article, 'Language').map((language) => textOf(language) ?? '');
  const isTranslated = /^\[.*\]\.?$/.test(title);
  const isForeign = languages.length > 0 && !languages.includes('eng');
  return [
    isTranslated ? 'The title is a translation.' : null,
    isForeign && languages.every((code) => /^[a-z]{3}$/.test(code))
      ? `Language: ${languages.join(', ')}.`
      : null,
  ].filter((remark) => remark !== null);
}

/** `Label` is what the authors wrote; `NlmCategory` is not. A structured abstract keeps its labels. */
function readAbstract(abstract: Element | null): Section[] {
  return children(abstract, 'AbstractText').flatMap((part) => {
    const text = textOf(part);
    return text === null ? [] : [{ label: attribute(part, 'Label')?.trim() || null, text }];
  });
}
