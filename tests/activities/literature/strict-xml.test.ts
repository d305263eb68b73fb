import { child, mixedText, parseXml, superscript, textOf } from '../../../activities/literature/strict-xml';

test.each([
  ['cut', '<a><b>x</b><c>'],
  ['cut in a tag', '<a><b>x</b><c'],
  ['crossed', '<a><b></a></b>'],
  ['an entity that is not declared', '<a>x &nbsp; y</a>'],
  ['an attribute without quotes', '<a b=1>x</a>'],
  ['an attribute twice', '<a b="1" b="2">x</a>'],
  ['two roots', '<a/><b/>'],
  ['text after the root', '<a/>text'],
  ['JSON', '{"a": 1}'],
  ['words', 'Rate exceeded.'],
  ['nothing', ''],
  ['HTML', '<!doctype html><html><body><br></body></html>'],
  ['nested 5,000 deep, which nothing could walk', `<r>${'<a>'.repeat(5_000)}x${'</a>'.repeat(5_000)}</r>`],
  // expanded by hand it would be 3^25 words
  ['entities of entities', `<!DOCTYPE r [<!ENTITY a "x"><!ENTITY b "&a;&a;&a;">]><r>&b;</r>`],
  ['an entity from a file', '<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]><r>&x;</r>'],
])('%s is no XML', (_, text) => expect(() => parseXml(text)).toThrow('unreadable'));

test('declared entities, numbered characters, CDATA and a byte-order mark are read', () => {
  const root = parseXml('\uFEFF<?xml version="1.0"?><a>&lt;&#181;&#x3b2;<![CDATA[<x>]]></a>');
  expect(textOf(root)).toBe('<µβ<x>');
});

test('text is taken in document order, without the parts that are skipped', () => {
  const root = parseXml('<a>one <b>two <c>three</c></b> four<!-- no --> <d>five</d></a>');
  expect(textOf(root)).toBe('one two three four five');
  expect(mixedText(root, ['c', 'd']).trim()).toBe('one two  four');
  expect(textOf(child(root, 'b', 'c'))).toBe('three');
  expect(child(root, 'c')).toBeNull();
});

// MathML Core: the second child of msup is raised, mfrac's stand above each other.
test.each([
  ['10<m:msup><m:mi>x</m:mi><m:mrow><m:mo>−</m:mo><m:mn>5</m:mn></m:mrow></m:msup>', '10x⁻⁵'],
  ['<m:mfrac><m:mn>1</m:mn><m:mn>2</m:mn></m:mfrac>', '1/2'],
  ['<m:mfrac><m:mrow>a+b</m:mrow><m:msup>c 2</m:msup></m:mfrac>', '(a+b)/(c 2)'],
  ['<m:msup><m:mn>10</m:mn><m:mfrac><m:mn>1</m:mn><m:mn>2</m:mn></m:mfrac></m:msup>', '10^1/2'],
])('MathML %s is "%s"', (markup, text) => {
  expect(textOf(parseXml(`<r xmlns:m="http://www.w3.org/1998/Math/MathML">${markup}</r>`))).toBe(text);
});

test.each([
  ['5', '⁵'],
  ['−2', '⁻²'],
  ['2+', '²⁺'],
  ['a', '^a'],
  ['n+1', '^n+1'],
  ['', ''],
])('raised %j is %j', (from, to) => expect(superscript(from)).toBe(to));
