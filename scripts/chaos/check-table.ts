import { plainTable } from '../bench/plain-table';
import type { Check } from './bench/audit';

/** What must hold, what was found, and whether it holds. */
export function checkTable(checks: readonly Check[]): string {
  const columns = [{ name: 'must hold', maxWidth: 76 }, { name: 'found' }, { name: '' }];
  const rows = checks.map(({ name, found, isGood }) => [name, found, isGood ? 'ok' : 'NO']);
  return plainTable(columns, rows, (text) => text);
}
