import { cells, isKept, type Measurement } from '../../scripts/perf/measurement';

const line: Measurement = {
  part: 'b',
  what: 'verdicts a second',
  measured: '80/s',
  against: 'no-op: 100/s',
  ratio: 0.8,
  bound: { kind: 'at least', ratio: 0.8 },
};

test('a bound is kept when the ratio reaches it, on the side that it names; without one everything is', () => {
  expect(isKept(line)).toBe(true);
  expect(isKept({ ...line, ratio: 0.799 })).toBe(false);
  expect(isKept({ ...line, ratio: 1.26, bound: { kind: 'at most', ratio: 1.25 } })).toBe(false);
  expect(isKept({ ...line, ratio: 9, bound: null })).toBe(true);
});

test('the table says where a bound is not kept', () => {
  expect(cells({ ...line, ratio: 0.5 }).at(-1)).toBe('at least 0.8 — NOT KEPT');
  expect(cells({ ...line, ratio: null, bound: null }).slice(-2)).toEqual(['–', '–']);
});
