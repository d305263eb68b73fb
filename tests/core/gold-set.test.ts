import fc from 'fast-check';
import { findGoldHits, type GoldSet, goldRecall } from '../../core/gold-set';
import type { HypothesisRecord } from '../../core/hypothesis';
import { tokenise } from '../../core/tokens';
import { findGoldSet } from '../../presets';

const TOP3 = findGoldSet('aml-repurposing-paper-top3');
const FIVE = findGoldSet('aml-repurposing-paper-5');

function hypothesis(fields: Partial<HypothesisRecord>): HypothesisRecord {
  return {
    title: '',
    summary: '',
    fullText: '',
    mechanism: '',
    entities: [],
    citations: [],
    falsification: '',
    ...fields,
  };
}

const entitiesIn = (set: GoldSet, text: string) =>
  findGoldHits(set, hypothesis({ summary: text })).map((hit) => hit.entity);

// The rules of "Gold sets" in the presets' facts, one example each.
test.each([
  ['JPH-203 blocks LAT1', ['Nanvuranlat']],
  ['jph203', ['Nanvuranlat']],
  ['JPH 203', ['Nanvuranlat']],
  ['KYT‑0353 (with a no-break hyphen)', ['Nanvuranlat']],
  ['JPH2031', []],
  ['AJPH-203', []],
  ['KIRA6’s effect', ['KIRA6']],
  ['KIRA8', []],
  ['LEFLUNOMIDE', ['Leflunomide']],
  ['its metabolite teriflunomide', ['Leflunomide']],
  ['a DHODH inhibitor such as brequinar', []],
  ['léflunomide and Nanvuranlat', ['Nanvuranlat', 'Leflunomide']],
])('in "%s" the top-3 set finds %j', (text, expected) => {
  expect(entitiesIn(TOP3, text)).toEqual(expected);
});

test.each([
  ['statins', []],
  ['a statin, an MEK inhibitor', []],
  ['dimethyl fumarate', ['Dimethyl fumarate']],
  ['dimethyl\nfumarate', ['Dimethyl fumarate']],
  ['dimethyl and monomethyl fumarate', []],
  ['BG-12', ['Dimethyl fumarate']],
  ['SB1518 with MEK162', ['Binimetinib', 'Pacritinib']],
])('in "%s" the five-drug set finds %j', (text, expected) => {
  expect(entitiesIn(FIVE, text)).toEqual(expected);
});

test('TGF-β does not hit TGF-alpha, but TGF-beta does TGF-β', () => {
  const set = {
    ...TOP3,
    entities: [
      { name: 'TGF-alpha', aliases: [] },
      { name: 'TGF-β', aliases: [] },
    ],
  };
  expect(entitiesIn(set, 'TGF-β')).toEqual(['TGF-β']);
  expect(entitiesIn(set, 'TGF-beta')).toEqual(['TGF-β']);
});

describe('fields', () => {
  test('the six kinds of fields are searched; title and entities propose, the others mention', () => {
    const name = 'KIRA6';
    const found = findGoldHits(
      TOP3,
      hypothesis({
        title: name,
        summary: name,
        fullText: name,
        entities: ['LAT1', name],
        citations: [{ url: 'https://example.org', title: name, excerpt: name }],
      }),
    );
    expect(found.map(({ field, kind }) => [field, kind])).toEqual([
      ['title', 'proposed'],
      ['summary', 'mentioned'],
      ['full_text', 'mentioned'],
      ['entities[1]', 'proposed'],
      ['citations[0].title', 'mentioned'],
      ['citations[0].excerpt', 'mentioned'],
    ]);
  });

  test('mechanism, falsification and addresses are not searched', () => {
    const citations = [{ url: 'https://example.org/KIRA6', title: '', excerpt: '' }];
    expect(findGoldHits(TOP3, hypothesis({ mechanism: 'KIRA6', falsification: 'KIRA6', citations }))).toEqual(
      [],
    );
  });

  test('no name hits across two entities, two citations or two fields', () => {
    const split = hypothesis({
      title: 'dimethyl',
      summary: 'fumarate',
      entities: ['dimethyl', 'fumarate'],
      citations: [
        { url: 'u', title: 'dimethyl', excerpt: 'fumarate of dimethyl' },
        { url: 'u', title: 'fumarate', excerpt: '' },
      ],
    });
    expect(findGoldHits(FIVE, split)).toEqual([]);
  });

  test('an entity is found once a field, under the name that comes first there', () => {
    const found = findGoldHits(TOP3, hypothesis({ summary: 'Arava, that is leflunomide (HWA-486).' }));
    expect(found.map(({ entity, alias }) => [entity, alias])).toEqual([['Leflunomide', 'Arava']]);
  });
});

describe('excerpts', () => {
  const filler = fc.string({ unit: 'binary', maxLength: 200 });

  test('an excerpt stands in the text, holds the name, splits no surrogate pair and has at most 81 characters', () => {
    fc.assert(
      fc.property(filler, filler, (before, after) => {
        const text = `${before} Nanvuranlat ${after}`;
        const found = findGoldHits(TOP3, hypothesis({ fullText: text })).find(
          (hit) => hit.entity === 'Nanvuranlat',
        )!;
        expect(text).toContain(found.excerpt);
        expect(tokenise(found.excerpt).map((token) => token.text)).toContain('nanvuranlat');
        expect(found.excerpt.length).toBeLessThanOrEqual(81);
        expect(
          /^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/.test(found.excerpt.slice(0, 1) + found.excerpt.slice(-1)),
        ).toBe(false);
      }),
    );
  });

  test('of a long text the excerpt is the 80 characters around the name', () => {
    const found = findGoldHits(TOP3, hypothesis({ summary: `${'x'.repeat(99)} KIRA6 ${'y'.repeat(99)}` }));
    expect(found[0]!.excerpt).toBe(`${'x'.repeat(37)} KIRA6 ${'y'.repeat(37)}`);
  });
});

test('a name is found in any field, whatever stands around it, as long as that is no letter, digit or mark', () => {
  const words = fc.array(fc.constantFrom('lorem', 'ipsum', '12', 'β', '—', '(', '😀'), { maxLength: 8 });
  const names = TOP3.entities.flatMap((entity) =>
    [entity.name, ...entity.aliases].map((name) => ({ entity, name })),
  );
  fc.assert(
    fc.property(
      words,
      words,
      fc.constantFrom(...names),
      fc.boolean(),
      (before, after, { entity, name }, isUpper) => {
        const text = [...before, isUpper ? name.toUpperCase() : name, ...after].join(' ');
        expect(findGoldHits(TOP3, hypothesis({ fullText: text })).map((hit) => hit.entity)).toEqual([
          entity.name,
        ]);
      },
    ),
  );
});

describe('goldRecall', () => {
  test('of three entities two hypotheses name 2, one of them proposed', () => {
    const recall = goldRecall(TOP3, [
      hypothesis({
        title: 'KIRA6 in AML',
        summary: 'KIRA6, unlike leflunomide',
        entities: ['KIRA6', 'IRE1α'],
      }),
      hypothesis({ title: 'Itraconazole', entities: ['Itraconazole'] }),
    ]);
    expect(recall).toEqual({
      named: ['KIRA6', 'Leflunomide'],
      proposed: ['KIRA6'],
      namedByHypothesis: [2, 0],
    });
  });

  test('no hypothesis names none', () => {
    expect(goldRecall(TOP3, [])).toEqual({ named: [], proposed: [], namedByHypothesis: [] });
  });
});
