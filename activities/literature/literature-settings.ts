import { readSecret } from '../read-secret';

/** What the environment says of the literature sources. Holds credentials: never logged, stored or shown. */
export interface LiteratureSettings {
  /** Told to NCBI, Europe PMC and in the user agent, as these services ask. */
  contactEmail: string | null;
  ncbiApiKey: string | null;
  tavilyApiKey: string | null;
  braveApiKey: string | null;
  /** End with `/`. */
  baseUrls: {
    pubmed: string;
    arxiv: string;
    europePmc: string;
    tavily: string;
    brave: string;
    /** null: there is none. */
    searxng: string | null;
  };
}

/** Thrown with every problem at once; names variables, never their values. */
export class InvalidLiteratureSettings extends Error {
  constructor(readonly problems: string[]) {
    super(`literature settings: ${problems.join('; ')}`);
    this.name = 'InvalidLiteratureSettings';
  }
}

/**
 * Reads `NCBI_API_KEY`, `LITERATURE_EMAIL`, `TAVILY_API_KEY`, `BRAVE_API_KEY`, `SEARXNG_BASE_URL` and the base URLs.
 * @throws InvalidLiteratureSettings
 */
export function literatureSettings(env: NodeJS.ProcessEnv): LiteratureSettings {
  const problems: string[] = [];
  const base = (name: string, usual: string) => readBaseUrl(env, name, problems) ?? usual;
  const settings: LiteratureSettings = {
    contactEmail: readEmail(env, problems),
    ncbiApiKey: readSecret(env, 'NCBI_API_KEY', problems),
    tavilyApiKey: readSecret(env, 'TAVILY_API_KEY', problems),
    braveApiKey: readSecret(env, 'BRAVE_API_KEY', problems),
    baseUrls: {
      pubmed: base('PUBMED_BASE_URL', 'https://eutils.ncbi.nlm.nih.gov/entrez/eutils/'),
      arxiv: base('ARXIV_BASE_URL', 'https://export.arxiv.org/'),
      europePmc: base('EUROPE_PMC_BASE_URL', 'https://www.ebi.ac.uk/europepmc/webservices/rest/'),
      tavily: base('TAVILY_BASE_URL', 'https://api.tavily.com/'),
      brave: base('BRAVE_BASE_URL', 'https://api.search.brave.com/res/v1/'),
      searxng: readBaseUrl(env, 'SEARXNG_BASE_URL', problems),
    },
  };
  if (problems.length > 0) throw new InvalidLiteratureSettings(problems);
  return settings;
}

/** Name, version and contact: what hosts ask programs to say of themselves. */
export function userAgent({ contactEmail }: Pick<LiteratureSettings, 'contactEmail'>): string {
  return contactEmail
    ? `${TOOL_NAME}/${TOOL_VERSION} (mailto:${contactEmail})`
    : `${TOOL_NAME}/${TOOL_VERSION}`;
}

/** The name in the user agent, in robots.txt and in NCBI's `tool`. */
export const TOOL_NAME = 'co-scientist-bench';
const TOOL_VERSION = '0.1';

function readBaseUrl(env: NodeJS.ProcessEnv, name: string, problems: string[]): string | null {
  const text = env[name]?.trim();
  if (!text) return null;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.username || url.search || url.hash) {
    problems.push(`${name}: not an http(s) URL without user, query and fragment`);
    return null;
  }
  return url.href.endsWith('/') ? url.href : `${url.href}/`;
}

function readEmail(env: NodeJS.ProcessEnv, problems: string[]): string | null {
  const text = env.LITERATURE_EMAIL?.trim();
  if (!text) return null;
  // It goes into the user agent, and a header holds no more than printable ASCII.
  if (/^[\x21-\x7E]+$/.test(text) && /^[^@<>()",;:]+@[^@<>()",;:]+$/.test(text)) return text;
  problems.push('LITERATURE_EMAIL: not an e-mail address in ASCII');
  return null;
}
