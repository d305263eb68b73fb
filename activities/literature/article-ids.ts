import { decodeFully, LONGEST_ADDRESS } from './decode-fully';

/**
 * Ids of works in one spelling each. All functions return null for what is not such an id; none guesses.
 */

/** Digits without leading zeros; `0` is no PMID. */
export function normalisePmid(text: string): string | null {
  const match = /^(?:pmid:?\s*)?0*([1-9]\d{0,8})$/i.exec(text.trim());
  return match?.[1] ?? null;
}

/** `PMC` and digits; a version (`.2`) is dropped. */
export function normalisePmcid(text: string): string | null {
  const match = /^(?:pmcid:?\s*)?PMC0*([1-9]\d{0,8})(?:\.\d+)?$/i.exec(text.trim());
  return match ? `PMC${match[1]}` : null;
}

/** A preprint of Europe PMC: `PPR` and digits. */
export function normalisePpr(text: string): string | null {
  const match = /^PPR0*([1-9]\d{0,8})$/i.exec(text.trim());
  return match ? `PPR${match[1]}` : null;
}

/**
 * Lower case, without resolver or `doi:`. Percent-encoding is undone, as in URLs. White space and quotes are in no
 * DOI; closing punctuation that a sentence added, and a closing slash, are dropped.
 */
export function normaliseDoi(text: string): string | null {
  if (text.length > LONGEST_ADDRESS) return null;
  const bare = decodeFully(text.trim())
    .replace(/^https?:\/\/(?:dx\.|www\.)?doi\.org\//i, '')
    .replace(/^doi:\s*/i, '');
  const match = /^10\.\d{4,9}(?:\.\d+)*\/[^\s"\p{C}]+$/u.exec(bare);
  if (!match) return null;
  const doi = dropTrailingPunctuation(match[0].toLowerCase());
  // A part `.` or `..` would be resolved away wherever the DOI stands in a URL.
  return /^10\.[\d.]+\/.+/.test(doi) && !/\/\.{1,2}(?:\/|$)/.test(doi) ? doi : null;
}

/** Without `arXiv:` and version: `2502.18864`, `hep-th/9901001`. */
export function normaliseArxivId(text: string): string | null {
  return parseArxivId(text)?.id ?? null;
}

/** The id apart from its version, which is null when none is given. */
export function parseArxivId(text: string): { id: string; version: number | null } | null {
  const bare = text
    .trim()
    .replace(/^arxiv:\s*/i, '')
    .toLowerCase();
  const match = /^(\d{4}\.\d{4,5}|([a-z-]+)(?:\.[a-z]{2})?\/\d{7})(?:v([1-9]\d{0,2}))?$/.exec(bare);
  if (!match?.[1] || (match[2] && !OLD_ARCHIVES.has(match[2]))) return null;
  // `math.GT/0309136` and `math/0309136` are one paper: the subject class is no part of the id.
  const id = match[1].replace(/^([a-z-]+)\.[a-z]{2}\//, '$1/');
  return { id, version: match[3] ? Number(match[3]) : null };
}

/** Archives of the ids in use until March 2007 (arxiv.org/archive). */
const OLD_ARCHIVES = new Set(
  (
    'acc-phys adap-org alg-geom ao-sci astro-ph atom-ph bayes-an chao-dyn chem-ph cmp-lg comp-gas cond-mat cs ' +
    'dg-ga funct-an gr-qc hep-ex hep-lat hep-ph hep-th math math-ph mtrl-th nlin nucl-ex nucl-th patt-sol physics ' +
    'plasm-ph q-alg q-bio quant-ph solv-int supr-con'
  ).split(' '),
);

/** arXiv registers a DOI for each of its papers; the paper is better known by its id. */
export function arxivIdOfDoi(doi: string): string | null {
  const match = /^10\.48550\/arxiv\.(.+)$/.exec(doi);
  return match?.[1] ? normaliseArxivId(match[1]) : null;
}

/** A closing bracket belongs to the DOI only when it closes one that the DOI opens. */
function dropTrailingPunctuation(doi: string): string {
  let unmatched = count(doi, ')') - count(doi, '(');
  let end = doi.length;
  for (; end > 0; end--) {
    const last = doi.charAt(end - 1);
    if (last === ')' && unmatched > 0) unmatched--;
    else if (!/[.,;:'”’\]}/]/.test(last)) break;
  }
  return doi.slice(0, end);
}

function count(text: string, character: string): number {
  return text.split(character).length - 1;
}
