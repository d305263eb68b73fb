import { insertParts } from '../../db/insert-parts';

/** As Postgres's protocol counts the values of a statement: in 16 bits (Frontend/Backend Protocol, Bind). */
const MOST_VALUES = 65_535;

test('8,000 verdicts of 13 columns, a panel of eight in 500 matches, fit part by part, in order and none lost', () => {
  const verdicts = Array.from({ length: 8_000 }, (_, i) => i);
  const parts = [...insertParts(verdicts)];
  expect(parts.flat()).toEqual(verdicts);
  for (const part of parts) expect(part.length * 13).toBeLessThanOrEqual(MOST_VALUES);
});

test('no rows are no INSERT at all', () => {
  expect([...insertParts([])]).toEqual([]);
});
