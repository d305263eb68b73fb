import fc from 'fast-check';
import { findDuplicates } from '../../core/duplicates';

const slot = (id: string, contentSha256: string | null, isNudged = false, isKept = false, run = 1) => ({
  id,
  contentSha256,
  isNudged,
  isKept,
  run,
});

test('the earliest slot of equal texts is kept, the 2 others repeat it, a slot without a draft counts for nothing', () => {
  const slots = [slot('1', 'x'), slot('2', null), slot('3', 'x'), slot('4', 'y'), slot('5', 'x')];
  expect(findDuplicates(slots, [], false)).toEqual([
    { id: '3', of: '1', isFinal: false },
    { id: '5', of: '1', isFinal: false },
  ]);
});

test('near-duplicates count against kept slots only: 3 is like 2, but 2 itself goes as like 1', () => {
  const slots = [slot('1', 'a'), slot('2', 'b'), slot('3', 'c')];
  const similar = [
    { earlierId: '1', laterId: '2' },
    { earlierId: '2', laterId: '3' },
  ];
  expect(findDuplicates(slots, similar, false)).toEqual([{ id: '2', of: '1', isFinal: false }]);
});

test('what was nudged once, or comes after the nudging, ends as a duplicate', () => {
  expect(findDuplicates([slot('1', 'x'), slot('2', 'x', true)], [], false)[0]?.isFinal).toBe(true);
  expect(findDuplicates([slot('1', 'x'), slot('2', 'x')], [], true)[0]?.isFinal).toBe(true);
});

test('a slot opened again after its twin was reviewed is the duplicate, though it is the earlier one: 1 of 2, by text or by likeness', () => {
  const twins = [slot('1', 'x'), slot('2', 'x', false, true)];
  expect(findDuplicates(twins, [], false)).toEqual([{ id: '1', of: '2', isFinal: false }]);
  const alike = [slot('1', 'a'), slot('2', 'b', false, true)];
  const similar = [{ earlierId: '1', laterId: '2' }];
  expect(findDuplicates(alike, similar, false)).toEqual([{ id: '1', of: '2', isFinal: false }]);
});

test('a text or a likeness of another run is no duplicate: of 4 equal texts in 2 runs, one a run', () => {
  const slots = [1, 2, 3, 4].map((k) => slot(String(k), 'x', false, k === 1, k < 3 ? 1 : 2));
  const similar = [{ earlierId: '1', laterId: '3' }];
  expect(findDuplicates(slots, similar, false)).toEqual([
    { id: '2', of: '1', isFinal: false },
    { id: '4', of: '3', isFinal: false },
  ]);
});

test('of any slots at least one of each text is kept, and deciding again on the kept ones finds none', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('a', 'b', 'c', null)), (texts) => {
      const slots = texts.map((text, i) => slot(String(i), text));
      const gone = new Set(findDuplicates(slots, [], false).map(({ id }) => id));
      const kept = slots.filter(({ id }) => !gone.has(id));
      expect(new Set(kept.map((s) => s.contentSha256))).toEqual(new Set(texts));
      expect(findDuplicates(kept, [], false)).toEqual([]);
    }),
  );
});
