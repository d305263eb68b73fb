import { SourceFailure } from '../failure';

/**
 * A query in arXiv's syntax that means what its words mean. arXiv joins bare words by OR (`attention mechanism` has
 * 314,000 hits), so words without a field get `all:`, and terms that stand side by side are joined by AND. Fields
 * (`ti:`, `au:`, …), quoted phrases, brackets and AND, OR, ANDNOT in capitals stay as they are.
 * @throws SourceFailure `bad_query` when it cannot be read
 */
export function arxivQuery(text: string): string {
  const tokens = tokenise(text);
  const parts: string[] = [];
  let needsOperator = false;
  let depth = 0;
  for (const token of tokens) {
    if (isOperator(token)) {
      if (!needsOperator) throw broken(`an operator without a term before it: ${token}`);
      parts.push(token === 'NOT' ? 'ANDNOT' : token);
      needsOperator = false;
    } else if (token === ')') {
      if (depth === 0 || !needsOperator) throw broken('a bracket that closes nothing');
      depth -= 1;
      parts.push(')');
    } else {
      if (needsOperator) parts.push('AND');
      parts.push(token === '(' ? '(' : fielded(token));
      depth += token === '(' ? 1 : 0;
      needsOperator = token !== '(';
    }
  }
  if (depth > 0) throw broken('a bracket that is not closed');
  if (!needsOperator) throw broken('no term at its end');
  return parts.join(' ').replaceAll('( ', '(').replaceAll(' )', ')');
}

const FIELD = /^(?:ti|au|abs|co|jr|cat|rn|all|submittedDate|lastUpdatedDate):/;

/** Phrases with their field, date ranges, brackets, words. */
function tokenise(text: string): string[] {
  const tokens =
    text.match(/(?:[A-Za-z]+:)?"[^"]*"|(?:submittedDate|lastUpdatedDate):\[[^\]]*\]|[()]|[^\s()"]+/g) ?? [];
  return tokens.filter((token) => /[\p{L}\p{N}()]/u.test(token));
}

function isOperator(token: string): boolean {
  return ['AND', 'OR', 'ANDNOT', 'NOT'].includes(token);
}

function fielded(token: string): string {
  if (FIELD.test(token)) {
    if (!/:.*[\p{L}\p{N}]/u.test(token)) throw broken(`a field without a word: ${token}`);
    return token;
  }
  // A colon after anything but a known field would be read as an unknown field.
  return token.startsWith('"')
    ? `all:${token}`
    : `all:${token.replaceAll(':', ' ').trim().split(' ').join(' AND all:')}`;
}

function broken(what: string): SourceFailure {
  return new SourceFailure('bad_query', null, { quoted: what });
}
