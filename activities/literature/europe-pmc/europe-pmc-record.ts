import { normaliseDoi, normalisePmcid, normalisePmid } from '../article-ids';
import { type FoundDocument, NO_IDS } from '../findings';
import { type JsonObject, objectAt, objectsIn, stringsIn, textIn } from '../json-answer';
import { fragmentLine, fragmentSections } from '../markup-text';
import { NOTICE_TYPES } from '../notice-types';
import type { DocumentFlag } from '../source';

/** One result of `resultType=core`; null when it lacks what every record has. */
export function readEuropePmcRecord(record: JsonObject): FoundDocument | null {
  const source = textIn(record.source);
  const id = textIn(record.id);
  if (!source || !id || !/^[A-Z]{2,4}$/.test(source) || !/^[\w.-]+$/.test(id)) return null;
  const pmcid = normalisePmcid(textIn(record.pmcid) ?? '');
  const isOpen = record.isOpenAccess === 'Y' && pmcid !== null;
  const abstract = textIn(record.abstractText);
  const title = textIn(record.title);
  return {
    url: `https://europepmc.org/article/${source}/${id}`,
    alsoAt: [],
    title: title === null ? null : fragmentLine(title),
    authors: readAuthors(record),
    published: readDate(record),
    venue: readVenue(record, source),
    ids: {
      ...NO_IDS,
      doi: normaliseDoi(textIn(record.doi) ?? ''),
      pmid: normalisePmid(textIn(record.pmid) ?? ''),
      pmcid,
    },
    flags: readFlags(record, source),
    remarks: isOpen ? [`Open full text: fetch_page https://europepmc.org/article/PMC/${pmcid}`] : [],
    sections: abstract === null ? [] : fragmentSections(abstract),
  };
}

function readAuthors(record: JsonObject): string[] {
  const listed = objectsIn(objectAt(record, 'authorList')?.author);
  if (listed)
    return listed.flatMap((author) => textIn(author.fullName) ?? textIn(author.collectiveName) ?? []);
  return (textIn(record.authorString) ?? '')
    .replace(/\.$/, '')
    .split(/,\s+/)
    .filter((name) => name !== '');
}

function readDate(record: JsonObject): string | null {
  const first = textIn(record.firstPublicationDate);
  if (first && /^\d{4}-\d{2}-\d{2}$/.test(first)) return first;
  return /^\d{4}$/.exec(textIn(record.pubYear) ?? '')?.[0] ?? null;
}

function readVenue(record: JsonObject, source: string): string | null {
  const journal = textIn(objectAt(record, 'journalInfo', 'journal')?.title);
  const publisher = textIn(objectAt(record, 'bookOrReportDetails')?.publisher);
  return journal ?? publisher ?? (source === 'PAT' ? 'Patent' : null);
}

const NOTICE_LINKS = ['retraction of', 'partial retraction of', 'erratum for', 'expression of concern for'];

/** Types stand in a list in `core` and in one string in `lite`; links only in `core`. */
function readFlags(record: JsonObject, source: string): DocumentFlag[] {
  const types = [
    ...stringsIn(objectAt(record, 'pubTypeList')?.pubType),
    ...(textIn(objectAt(record, 'pubTypeList')?.pubType)?.split('; ') ?? []),
    ...(textIn(record.pubType)?.split('; ') ?? []),
  ].map((type) => type.toLowerCase());
  const links = (objectsIn(objectAt(record, 'commentCorrectionList')?.commentCorrection) ?? []).map((link) =>
    (textIn(link.type) ?? '').toLowerCase(),
  );
  const flags: [boolean, DocumentFlag][] = [
    [types.includes('retracted publication') || links.includes('retraction in'), 'retracted'],
    [links.includes('partial retraction in'), 'partly_retracted'],
    [links.includes('expression of concern in'), 'concern'],
    [types.includes('preprint removal') || types.includes('preprint withdrawal'), 'withdrawn'],
    [source === 'PPR' || types.includes('preprint'), 'preprint'],
    [
      NOTICE_TYPES.some((type) => types.includes(type)) || NOTICE_LINKS.some((link) => links.includes(link)),
      'notice',
    ],
    [source === 'PAT', 'patent'],
  ];
  return flags.filter(([isSet]) => isSet).map(([, flag]) => flag);
}
