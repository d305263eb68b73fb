import { createHash } from 'node:crypto';

/**
 * A text's public id: stable, and fit for a file name. `prefix_` and 26 characters of base32 (RFC 4648's extended
 * hex alphabet, lower case): the first 128 bits of the SHA-256 of the row's key.
 */
export function publicId(prefix: 'hyp' | 'trn', key: string): string {
  const bits = createHash('sha256').update(key, 'utf8').digest('hex').slice(0, 32);
  return `${prefix}_${BigInt(`0x${bits}`).toString(32).padStart(26, '0')}`;
}
