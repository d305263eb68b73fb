import { at, countAt, listAt, textAt, usdAt } from '../../../activities/providers/json-path';
import { isJsonObject } from '../../../core/json-object';
import { sumUsd } from '../../../core/prices';

it('walks own keys and indices, and ends as undefined where the path does', () => {
  const value = { a: [{ b: 'x' }], none: null };
  expect(at(value, 'a', 0, 'b')).toBe('x');
  expect(at(value)).toBe(value);
  const paths = [['a', 1], ['a', '0', 'b', 'length'], ['none', 'b'], ['constructor'], ['a', 'length', 'x']];
  for (const path of paths) expect(at(value, ...path)).toBeUndefined();
  for (const foreign of [undefined, null, 7, 'text']) expect(at(foreign, 'toString')).toBeUndefined();
});

it('never sees what a prototype has', () => {
  for (const name of ['constructor', 'toString', '__proto__', 'hasOwnProperty'])
    expect(at({}, name)).toBeUndefined();
  const own = JSON.parse('{"__proto__":{"model":"x"}}') as unknown;
  expect([at(own, 'model'), at(own, '__proto__', 'model')]).toEqual([undefined, 'x']);
});

it('gives null or nothing for the wrong kind, never a stand-in', () => {
  expect([textAt({ a: 7 }, 'a'), textAt({ a: '7' }, 'a')]).toEqual([null, '7']);
  expect([listAt({ a: {} }, 'a'), listAt({ a: [1] }, 'a')]).toEqual([[], [1]]);
  const counts = [0, 7, -1, 0.5, '7', null, Number.NaN, 2 ** 53];
  expect(counts.map((value) => countAt({ value }, 'value'))).toEqual([
    0,
    7,
    null,
    null,
    null,
    null,
    null,
    null,
  ]);
  const amounts = [0, 0.25, 1e6, -1, '0.25', null, Number.POSITIVE_INFINITY, 1e308, 1e6 + 1];
  expect(amounts.map((value) => usdAt({ value }, 'value'))).toEqual([
    ...[0, 0.25, 1e6, null, null, null, null, null, null],
  ]);
  expect([[], null, {}, 'x'].map(isJsonObject)).toEqual([false, false, true, false]);
});

// 3 × 0.000012345679 = 0.000037037037, where 3 × 0.0000123456789012345 is 0.0000370370367037035
it('keeps of an amount with 19 decimals the 12 that sums are made with', () => {
  const cost = usdAt(JSON.parse('{"cost":0.0000123456789012345}'), 'cost');
  expect(cost).toBe(0.000012345679);
  expect(sumUsd([cost!, cost!, cost!])).toBe(0.000037037037);
});
