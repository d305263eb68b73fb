import fc from 'fast-check';
import { catalogue, findPrompt } from '../../presets';
import { renderPrompt } from '../../presets/prompt';

const PROMPT = {
  name: 'p',
  version: 1,
  system: ['Be fair.'],
  user: ['<text>', '{{text}}', '</text>', '{{other}} {{text}}'],
};

test('placeholders are filled in one pass: a value’s own braces and dollars stay', () => {
  expect(renderPrompt(PROMPT, { text: '{{other}} $& $1', other: 'O' })).toEqual({
    system: 'Be fair.',
    user: '<text>\n{{other}} $& $1\n</text>\nO {{other}} $& $1',
  });
});

test.each([
  ['</text>', '&lt;/text>'],
  ['< / TEXT >', '&lt; / TEXT >'],
  ['<text attribute="1">', '&lt;text attribute="1">'],
  ['</text', '&lt;/text'],
  ['<texts> <texture> <other> 1 < 2', '<texts> <texture> <other> 1 < 2'],
])('of a value, %j is sent as %j', (value, expected) => {
  expect(renderPrompt(PROMPT, { text: 'x', other: value }).user).toContain(`${expected} x`);
});

test.each([
  [{ text: 'x' }, 'missing [other], not asked for []'],
  [{ text: 'x', other: 'y', more: 'z' }, 'missing [], not asked for [more]'],
])('the values %j are refused: %s', (values, message) => {
  expect(() => renderPrompt(PROMPT, values as Record<string, string>)).toThrow(message);
});

describe('the registered prompts', () => {
  // What each activity hands in.
  test.each([
    ['generation-direct', ['goal']],
    ['generation-pipeline', ['goal']],
    ['nudge', []],
    ['repair', ['problems']],
    ['review', ['goal', 'hypothesis']],
    ['verdict', ['goal', 'first_hypothesis', 'first_review', 'second_hypothesis', 'second_review']],
    ['verdict-text', ['goal', 'first_hypothesis', 'second_hypothesis']],
    ['debate-argument', ['goal', 'first_hypothesis', 'second_hypothesis', 'debate', 'side']],
    ['debate-record', ['debate']],
    ['probe', []],
  ])('%s asks for %j and leaves no placeholder behind', (name, asked) => {
    const values = Object.fromEntries(asked.map((key) => [key, `the ${key} here`]));
    const { system, user } = renderPrompt(findPrompt(name), values);
    for (const value of Object.values(values)) expect(user).toContain(value);
    expect(system + user).not.toMatch(/\{\{|\}\}/);
    expect(user.trim()).not.toBe('');
  });

  test('all of them are registered with a version from 1', () => {
    for (const version of Object.values(catalogue([]).prompts)) expect(version).toBeGreaterThanOrEqual(1);
  });
});

describe('the verdict prompt', () => {
  const block = (text: string, tag: string) =>
    new RegExp(`<${tag}>\\n([\\s\\S]*?)\\n</${tag}>`).exec(text)?.[1];
  const values = {
    goal: 'G',
    first_hypothesis: 'F',
    first_review: 'R',
    second_hypothesis: 'S',
    second_review: 'T',
  };

  test('holds each hypothesis with its review inside its own block, and the tags nowhere else', () => {
    const { system, user } = renderPrompt(findPrompt('verdict'), values);
    expect(block(user, 'first_hypothesis')).toBe('F\n\n<review>\nR\n</review>');
    expect(block(user, 'second_hypothesis')).toBe('S\n\n<review>\nT\n</review>');
    expect(system).not.toContain('<');
  });

  test('is the same prompt with first and second exchanged when the hypotheses change places', () => {
    const { user } = renderPrompt(findPrompt('verdict'), values);
    const swapped = renderPrompt(findPrompt('verdict'), {
      ...values,
      first_hypothesis: 'S',
      first_review: 'T',
      second_hypothesis: 'F',
      second_review: 'R',
    }).user;
    expect(block(swapped, 'first_hypothesis')).toBe(block(user, 'second_hypothesis'));
    expect(block(swapped, 'second_hypothesis')).toBe(block(user, 'first_hypothesis'));
  });

  test('says neither label, provider, model nor mode', () => {
    const { system, user } = renderPrompt(findPrompt('verdict'), values);
    expect(system + user).not.toMatch(/\b(label|provider|model|pipeline|direct|openai|gemini|claude)\b/i);
  });

  test('no text can close its block or open another, whatever it says', () => {
    const parts = [
      '</first_hypothesis>',
      '<second_hypothesis>',
      '</ review>',
      '<GOAL>',
      '<',
      '/',
      '>',
      '{{goal}}',
      'x',
      '\n',
    ];
    const text = fc.array(fc.constantFrom(...parts), { maxLength: 12 }).map((some) => some.join(''));
    const tags = (rendered: string) =>
      rendered.match(/<[\s/]*(goal|first_hypothesis|second_hypothesis|review)(?!\w)/gi);
    const plain = tags(renderPrompt(findPrompt('verdict'), values).user);
    fc.assert(
      fc.property(text, text, text, (first, second, review) => {
        const { user } = renderPrompt(findPrompt('verdict'), {
          ...values,
          first_hypothesis: first,
          second_hypothesis: second,
          first_review: review,
        });
        expect(tags(user)).toEqual(plain);
      }),
    );
  });
});
