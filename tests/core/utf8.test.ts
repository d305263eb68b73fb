import fc from 'fast-check';
import { utf8Bytes } from '../../core/utf8';

test('every text, lone surrogates too, has the bytes that Node’s TextEncoder gives', () => {
  const encoder = new TextEncoder();
  fc.assert(
    fc.property(fc.string({ unit: fc.nat(0xffff).map((unit) => String.fromCharCode(unit)) }), (text) => {
      expect(utf8Bytes(text)).toEqual([...encoder.encode(text)]);
    }),
  );
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(utf8Bytes(text)).toEqual([...encoder.encode(text)]);
    }),
  );
});
