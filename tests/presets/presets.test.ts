import { parseCandidateSpec } from '../../core/candidate-spec';
import { findGoldHits, type GoldSet } from '../../core/gold-set';
import { parseModelRef } from '../../core/model-ref';
import { planBench } from '../../core/plan-bench';
import { parseSimModel } from '../../core/sim-model';
import { catalogue, findGoldSet, findPriceTable, findPrompt, findSimModels } from '../../presets';

const CATALOGUE = catalogue(['anthropic', 'openai', 'google', 'openrouter', 'openai-compatible', 'sim']);
const PRESETS = Object.keys(CATALOGUE.presets);

function candidatesOf(preset: string): { label: string; model: string; mode: string }[] {
  return CATALOGUE.presets[preset]!.input.candidates!.map((text) => {
    const read = parseCandidateSpec(text);
    if ('problems' in read) throw new Error(read.problems.join('\n'));
    const { label, provider, model, mode } = read.value;
    return { label, model: `${provider}:${model}`, mode };
  });
}

describe('presets', () => {
  test('there are the four of the paper and the frontier, and the demo', () => {
    expect(PRESETS).toEqual(['demo', 'paper', 'paper-aml', 'paper-aml-vs-raw', 'frontier-aml-vs-raw']);
  });

  test.each(PRESETS)('%s has nothing wrong with it, given a goal', (name) => {
    const result = planBench({ goal: 'a goal', preset: name }, CATALOGUE);
    const problems = 'problems' in result ? result.problems : [];
    expect(problems).toEqual([]);
  });

  test.each(PRESETS)('%s has n 4, 2 matches, $3 a candidate and $5 for the judge', (name) => {
    expect(CATALOGUE.presets[name]!.input).toMatchObject({
      n: 4,
      matches: 2,
      budgetPerCandidateUsd: 3,
      judgeBudgetUsd: 5,
    });
  });

  // The tables of the presets' facts.
  const PAPER_FOUR = {
    'gemini-2-flash-thinking': 'openrouter:google/gemini-2.0-flash-001',
    'gemini-2-pro': 'openrouter:google/gemini-2.5-pro',
    'openai-o1': 'openrouter:openai/o1',
    'claude-haiku-4.5': 'openrouter:anthropic/claude-haiku-4.5',
  };
  const FRONTIER_FOUR = {
    'claude-opus-4.7': 'openrouter:anthropic/claude-opus-4.7',
    'gpt-5': 'openrouter:openai/gpt-5',
    'gemini-3-pro': 'openrouter:google/gemini-3.1-pro-preview',
    'gemini-3-flash': 'openrouter:google/gemini-3-flash-preview',
  };
  const once = (models: Record<string, string>) =>
    Object.entries(models).map(([label, model]) => ({ label, model, mode: 'pipeline' }));
  const twice = (models: Record<string, string>) =>
    Object.entries(models).flatMap(([label, model]) => [
      { label: `${label}[pipe]`, model, mode: 'pipeline' },
      { label: `${label}[raw]`, model, mode: 'direct' },
    ]);

  test.each([
    ['paper', once(PAPER_FOUR)],
    ['paper-aml', once(PAPER_FOUR)],
    ['paper-aml-vs-raw', twice(PAPER_FOUR)],
    ['frontier-aml-vs-raw', twice(FRONTIER_FOUR)],
  ])('%s has the candidates of its table', (name, expected) => {
    expect(candidatesOf(name)).toEqual(expected);
  });

  test.each(['paper', 'paper-aml', 'paper-aml-vs-raw'])('%s says which model stands for which', (name) => {
    expect(Object.keys(CATALOGUE.presets[name]!.standsFor!)).toEqual(Object.keys(PAPER_FOUR));
  });

  test('the demo has the labels and modes of paper-aml-vs-raw, on sim models that are all different', () => {
    const demo = candidatesOf('demo');
    expect(demo.map(({ label, mode }) => ({ label, mode }))).toEqual(
      candidatesOf('paper-aml-vs-raw').map(({ label, mode }) => ({ label, mode })),
    );
    expect(new Set(demo.map((c) => c.model)).size).toBe(8);
    expect(demo.every((c) => c.model.startsWith('sim:'))).toBe(true);
    const result = planBench({ preset: 'demo' }, CATALOGUE);
    expect(result).toMatchObject({
      plan: { isSimulated: true, notes: [], goldSet: 'aml-repurposing-paper-top3' },
    });
  });

  test('the goal is the user’s in paper and the AML goal in the others', () => {
    expect(CATALOGUE.presets.paper!.input.goal).toBeUndefined();
    for (const name of PRESETS.filter((preset) => preset !== 'paper')) {
      expect(CATALOGUE.presets[name]!.input.goal).toContain('acute myeloid leukaemia');
    }
  });

  test.each(PRESETS)(
    'the judge of %s is no candidate, and the preset of the frontier says why it is another',
    (name) => {
      const { input, description } = CATALOGUE.presets[name]!;
      expect(candidatesOf(name).map((c) => c.model)).not.toContain(input.judge);
      if (name.startsWith('paper')) expect(input.judge).toBe('openrouter:google/gemini-3-flash-preview');
      if (name.startsWith('frontier'))
        expect(description).toMatch(/gemini-3-flash-preview, is a candidate here/);
    },
  );
});

describe('gold sets', () => {
  // The table of the presets' facts.
  test.each<[string, Record<string, string[]>]>([
    [
      'aml-repurposing-paper-top3',
      {
        Nanvuranlat: ['JPH-203', 'JPH203', 'KYT-0353', 'KYT0353'],
        KIRA6: ['KIRA-6'],
        Leflunomide: ['Arava', 'HWA-486', 'HWA486', 'SU101', 'Teriflunomide', 'Aubagio'],
      },
    ],
    [
      'aml-repurposing-paper-5',
      {
        Binimetinib: ['MEK162', 'MEK-162', 'Mektovi'],
        Pacritinib: ['SB1518', 'SB-1518', 'Vonjo'],
        Cerivastatin: ['Baycol', 'Lipobay'],
        Pravastatin: ['Pravachol', 'Selektine'],
        'Dimethyl fumarate': ['DMF', 'BG-12', 'BG12', 'Tecfidera'],
      },
    ],
  ])('%s has the entities and aliases of its table, its source, date and criteria', (name, expected) => {
    const set = findGoldSet(name);
    expect(Object.fromEntries(set.entities.map((entity) => [entity.name, entity.aliases]))).toEqual(expected);
    expect(set.source).toMatchObject({ title: 'Towards an AI co-scientist', id: 'arXiv:2502.18864' });
    expect(set.publishedOn).toBe('2025-02-26');
    expect(set.criteria.length).toBeGreaterThan(0);
  });

  const namesIn = (set: GoldSet, text: string) =>
    findGoldHits(set, {
      title: '',
      summary: text,
      fullText: '',
      mechanism: '',
      entities: [],
      citations: [],
      falsification: '',
    }).map((hit) => hit.entity);

  test.each(CATALOGUE.goldSets)('no goal and no prompt names an entity of %s', (name) => {
    const set = findGoldSet(name);
    for (const preset of Object.values(CATALOGUE.presets))
      expect(namesIn(set, preset.input.goal ?? '')).toEqual([]);
    for (const prompt of Object.keys(CATALOGUE.prompts)) {
      const { system, user } = findPrompt(prompt);
      expect(namesIn(set, [...system, ...user].join('\n'))).toEqual([]);
    }
  });
});

describe('the price table', () => {
  const table = findPriceTable();

  test('every entry has a name that a candidate can have, and rates from 0 to 1000', () => {
    for (const [name, price] of Object.entries(table.prices)) {
      expect(parseModelRef(name)).toHaveProperty('value');
      const { inputUsdPerMTok, outputUsdPerMTok, cacheReadUsdPerMTok, cacheWriteUsdPerMTok } = price;
      const rates = [inputUsdPerMTok, outputUsdPerMTok, cacheReadUsdPerMTok ?? 0, cacheWriteUsdPerMTok ?? 0];
      expect(rates.every((rate) => rate >= 0 && rate <= 1000)).toBe(true);
      expect(price.source).toBe('table');
    }
    expect(table.asOf).toMatch(/^\d{4}-\d{2}-\d{2}$/);
  });

  // The public list llm-prices (S. Willison) as of 2026-08-05.
  test.each([
    ['openai:gpt-5', 1.25, 10],
    ['openai:o1', 15, 60],
    ['anthropic:claude-opus-4-7', 5, 25],
    ['anthropic:claude-haiku-4-5', 1, 5],
    ['google:gemini-3.1-pro-preview', 2, 12],
    ['google:gemini-3-flash-preview', 0.5, 3],
    ['google:gemini-2.5-pro', 1.25, 10],
    ['google:gemini-2.0-flash', 0.1, 0.4],
    ['openrouter:openai/gpt-5-mini', 0.25, 2],
    ['openrouter:anthropic/claude-opus-4.7', 5, 25],
  ])('%s costs $%d and $%d a million tokens', (name, inputUsdPerMTok, outputUsdPerMTok) => {
    expect(table.prices[name]).toMatchObject({ inputUsdPerMTok, outputUsdPerMTok });
  });

  // The same list's entries for long contexts, and OpenAI's models that cost more from 272,000 tokens on.
  test.each([
    ['google:gemini-2.5-pro', 200_000, 2.5, 15],
    ['openrouter:google/gemini-3.1-pro-preview', 200_000, 4, 18],
    ['anthropic:claude-sonnet-4-5', 200_000, 6, 22.5],
    ['openai:gpt-5.4', 272_000, 5, 22.5],
    ['openai:gpt-5.5', 272_000, 10, 45],
  ])(
    '%s costs, over %d tokens in, $%d and $%d',
    (name, overInputTokens, inputUsdPerMTok, outputUsdPerMTok) => {
      const { longInput } = table.prices[name]!;
      expect(longInput).toMatchObject({ overInputTokens, inputUsdPerMTok, outputUsdPerMTok });
    },
  );

  test('no long input is cheaper than a short one', () => {
    for (const { longInput, inputUsdPerMTok, outputUsdPerMTok } of Object.values(table.prices)) {
      expect(longInput?.inputUsdPerMTok ?? inputUsdPerMTok).toBeGreaterThanOrEqual(inputUsdPerMTok);
      expect(longInput?.outputUsdPerMTok ?? outputUsdPerMTok).toBeGreaterThanOrEqual(outputUsdPerMTok);
    }
  });

  test('every sim model costs $1 and $5', () => {
    expect(table.providerPrices.sim).toMatchObject({ inputUsdPerMTok: 1, outputUsdPerMTok: 5 });
  });
});

describe('sim models', () => {
  test('there are eight and more, each of a strength of its own, and judges of several kinds', () => {
    const models = findSimModels();
    expect(Object.keys(models).length).toBeGreaterThanOrEqual(8);
    for (const name of Object.keys(models)) {
      const { skill, spread, accuracy, bias } = models[name]!;
      const options = `skill=${skill},spread=${spread},accuracy=${accuracy},bias=${bias}`;
      expect(parseSimModel(`${name},${options}`, models)).toHaveProperty('value');
    }
    const demo = candidatesOf('demo').map((c) => models[c.model.slice('sim:'.length)]!.skill);
    expect(new Set(demo).size).toBe(8);
  });
});

test.each([
  ['gold set', () => findGoldSet('constructor')],
  ['prompt', () => findPrompt('../index')],
  ['price table', () => findPriceTable('1999-01-01')],
])('a %s that is not registered is refused', (kind, find) => {
  expect(find).toThrow(new RegExp(`^no ${kind} `));
});
