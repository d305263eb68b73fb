/** A run of letters and digits, folded, with its place in the text it came from. */
export interface Token {
  text: string;
  /** UTF-16 offsets into the original text; `end` is past the last character. */
  start: number;
  end: number;
}

/**
 * Splits a text into folded tokens: compatibility forms taken apart (NFKD), case and marks dropped, Greek
 * letters spelled out (β = beta, so that "TGF-β" is not "TGF-α"), split at anything else that is not a letter
 * or a digit.
 */
export function tokenise(text: string): Token[] {
  const tokens: Token[] = [];
  let token: Token | null = null;
  let offset = 0;
  for (const character of text) {
    const end = offset + character.length;
    for (const piece of fold(character)) {
      if (!/[\p{L}\p{N}]/u.test(piece)) {
        token = null;
        continue;
      }
      if (token === null) {
        token = { text: '', start: offset, end };
        tokens.push(token);
      }
      token.text += GREEK[piece] ?? piece;
      token.end = end;
    }
    offset = end;
  }
  return tokens;
}

/** One character, decomposed, in small letters, without its marks. ẞ and ß are both "ss", ς is σ. */
function fold(character: string): string {
  if (character < '\u0080') return character.toLowerCase();
  return character.normalize('NFKD').toUpperCase().toLowerCase().normalize('NFKD').replace(/\p{M}/gu, '');
}

const GREEK: Readonly<Record<string, string>> = {
  α: 'alpha',
  β: 'beta',
  γ: 'gamma',
  δ: 'delta',
  ε: 'epsilon',
  ζ: 'zeta',
  η: 'eta',
  θ: 'theta',
  ι: 'iota',
  κ: 'kappa',
  λ: 'lambda',
  μ: 'mu',
  ν: 'nu',
  ξ: 'xi',
  ο: 'omicron',
  π: 'pi',
  ρ: 'rho',
  σ: 'sigma',
  ς: 'sigma',
  τ: 'tau',
  υ: 'upsilon',
  φ: 'phi',
  χ: 'chi',
  ψ: 'psi',
  ω: 'omega',
};
