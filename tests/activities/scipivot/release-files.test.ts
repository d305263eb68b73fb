import { readAggregates } from '../../../activities/scipivot/aggregates';
import {
  OPTIONS_ONLY_PROMPT,
  opaqueCaseId,
  readPrompts,
  sessionPrompts,
  writePrompts,
} from '../../../activities/scipivot/prompts';
import { readQuestions } from '../../../activities/scipivot/questions';
import { type PublicCase, publicCase } from '../../../core/scipivot/public-case';
import { problemsOf } from './refused-file';

const bytes = (text: string) => Buffer.from(text);

describe('a file of questions', () => {
  const one = { id: 'q1', option_a: 'a1', option_b: 'b1', label: 'A' };
  const two = { id: 'q2', option_a: 'a2', option_b: 'b2', label: 'B' };
  const cases = [
    { id: 'q1', optionA: 'a1', optionB: 'b1', label: 'A' },
    { id: 'q2', optionA: 'a2', optionB: 'b2', label: 'B' },
  ];
  const read = (value: unknown) => readQuestions(bytes(JSON.stringify(value, null, 1)));

  test.each<[string, unknown]>([
    ['an array', [one, two]],
    ['questions in an object', { revision: 'r', questions: [one, two] }],
    ['cases in an object', { cases: [one, two] }],
    [
      'options as an object',
      [one, two].map(({ id, option_a, option_b, label }) => ({
        case_id: id,
        options: { A: option_a, B: option_b },
        answer: label,
      })),
    ],
    [
      'options as an array',
      [one, two].map(({ id, option_a, option_b, label }) => ({
        question_id: id,
        options: [option_a, option_b],
        reference: label,
      })),
    ],
    [
      'options marked by letters',
      [one, two].map(({ id, option_a, option_b, label }) => ({
        id,
        choices: [
          { label: 'A', text: option_a },
          { label: 'B', text: option_b },
        ],
        gold: label,
      })),
    ],
    [
      'options marked by letters, B first',
      [one, two].map(({ id, option_a, option_b, label }) => ({
        id,
        choices: [
          { label: 'B', text: option_b },
          { label: 'A', text: option_a },
        ],
        gold: label,
      })),
    ],
    ['two label fields that agree', [one, two].map((known) => ({ ...known, answer: known.label }))],
  ])('is read as %s', (_, value) => {
    expect(read(value).cases).toEqual(cases);
  });

  test('has what was read over named, and none of it in a case', () => {
    const { cases: read1, shape } = read([{ ...one, rationale: 'A is right', origin: { A: 'human' } }, two]);
    expect(shape.leftBehind).toEqual(['origin', 'rationale']);
    expect(JSON.stringify(read1)).not.toMatch(/right|human/);
  });

  test.each<[string, unknown, string]>([
    ['a label of another kind', [one, { ...two, label: 'b' }], 'line 12: [1].label: exactly "A" or "B"'],
    [
      'no label in a later case',
      { questions: [one, { ...two, label: undefined }] },
      'questions[1].label: exactly "A" or "B"',
    ],
    [
      'no label at all',
      [{ ...one, label: 0 }, two],
      '[0]: the label, "A" or "B", under one of label, answer',
    ],
    [
      'two label fields that differ',
      [
        { ...one, answer: 'A' },
        { ...two, answer: 'A' },
      ],
      '[1]: label, answer: the same letter in all of them',
    ],
    ['an id twice', [one, { ...two, id: 'q1' }], '[1]: an id of its own, not that of case 1'],
    [
      'the same options twice, turned',
      [one, { ...two, option_a: 'b1', option_b: 'a1' }],
      '[1]: options of its own, not those of case 1',
    ],
    ['two equal options', [one, { ...two, option_b: 'a2' }], '[1]: two different options'],
    ['an empty option', [one, { ...two, option_b: ' ' }], '[1].option_b: a text that is not empty'],
    ['an option that is no text', [one, { ...two, option_b: 1 }], '[1].option_b: a text that is not empty'],
    [
      'half a surrogate pair',
      [one, { ...two, option_b: 'x\ud800' }],
      '[1].option_b: a text that is not empty, and whole Unicode',
    ],
    [
      'another shape in a later case',
      [one, { id: 'q2', options: ['a2', 'b2'], label: 'B' }],
      '[1].option_a: a text',
    ],
    [
      'three options',
      [
        { id: 'q', options: ['a', 'b'], label: 'A' },
        { id: 'r', options: ['c', 'd', 'e'], label: 'A' },
      ],
      '[1].options: two options, not 3',
    ],
    ['no list', { revision: 'r' }, 'the whole: an array of cases'],
    ['two lists', { questions: [one], cases: [two] }, 'the whole: an array of cases'],
    ['an empty list', [], 'the whole: at least one case'],
    ['a case that is no object', [one, 'q2'], '[1]: an object'],
  ])('is refused for %s, with line, path and field', (_, value, problem) => {
    const problems = problemsOf(() => read(value));
    expect(problems.join('\n')).toContain(problem);
    for (const told of problems) expect(told).toMatch(/^line \d+: /);
  });

  test('is refused for a key that stands twice in a case, with the line', () => {
    expect(problemsOf(() => readQuestions(bytes('[{"id":"q",\n"label":"A","label":"B"}]')))).toEqual([
      'line 2: key "label" stands twice in one object',
    ]);
  });
});

describe('a file of aggregates', () => {
  const HEADER = 'model,condition,correct,n_runs,n_parsed,case_accuracy';
  const read = (...lines: string[]) => readAggregates(bytes(`${lines.join('\n')}\n`));

  test('gives counts, and shares with the rounding they were printed with', () => {
    expect(read(HEADER, 'm,"c, quoted",316,496,490.0,0.637').rows).toEqual([
      {
        line: 2,
        model: 'm',
        condition: 'c, quoted',
        effort: null,
        nCorrect: 316,
        nRuns: 496,
        nParsed: 490,
        nCases: null,
        accuracy: null,
        caseAccuracy: { value: 0.637, tolerance: 0.0005 },
        parsedAccuracy: null,
      },
    ]);
  });

  test('reads a column with a value above 1 as percentages, and the small ones in it too', () => {
    const shares = read(HEADER, 'm,c,316,496,496,63.71', 'm,d,1,496,496,0.2').rows.map(
      ({ caseAccuracy }) => caseAccuracy,
    );
    expect(shares[0]!.value).toBeCloseTo(0.6371, 12);
    expect(shares[0]!.tolerance).toBeCloseTo(0.00005, 12);
    expect(shares[1]!.value).toBeCloseTo(0.002, 12);
  });

  test('knows columns by other names, and names those it read over', () => {
    const { columns, leftBehind } = read(
      'Model Name,Setting,Correct,n-runs,Parsed,case_accuracy,rank',
      'm,c,1,2,2,0.5,1',
    );
    expect(columns).toMatchObject({
      model: 'Model Name',
      condition: 'Setting',
      nRuns: 'n-runs',
      nParsed: 'Parsed',
    });
    expect(leftBehind).toEqual(['rank']);
  });

  test.each([
    [
      'a missing column',
      ['model,condition,correct,n_runs,n_parsed'],
      'line 1: a column under one of case_accuracy',
    ],
    [
      'a column twice',
      [`${HEADER},correct`],
      'line 1: one column of correct, n_correct, correct_runs, not 2',
    ],
    ['a short row', [HEADER, 'm,c,1,2,2,0.5', 'm,c'], 'line 3: not CSV with one width'],
    ['an open quote', [HEADER, '"m,c,1,2,2,0.5'], 'not CSV with one width'],
    ['a count that is none', [HEADER, 'm,c,many,2,2,0.5'], 'line 2: correct: a whole number'],
    ['a negative count', [HEADER, 'm,c,-1,2,2,0.5'], 'line 2: correct: a whole number'],
    ['a missing count', [HEADER, 'm,c,,2,2,0.5'], 'line 2: correct: a whole number'],
    ['a share that is none', [HEADER, 'm,c,1,2,2,nan'], 'line 2: case_accuracy: a share from 0 to 1'],
    [
      'a percentage above 100',
      [HEADER, 'm,c,1,2,2,150'],
      'line 2: case_accuracy: a percentage from 0 to 100',
    ],
    ['no model', [HEADER, ',c,1,2,2,0.5'], 'line 2: model: not empty'],
    [
      'a model and condition twice',
      [HEADER, 'm,c,1,2,2,0.5', 'm,c,1,2,2,0.5'],
      'line 3: model, condition and effort: stand on line 2 already',
    ],
    ['nothing', [''], 'line 1: a header'],
  ])('is refused for %s, with the line', (_, lines, problem) => {
    expect(problemsOf(() => read(...lines)).join('\n')).toContain(problem);
  });
});

describe('the public side', () => {
  const source = { id: 'q1', optionA: 'a', optionB: 'b', label: 'A', rationale: 'A is right' };

  test('of a case is its id and its two options; the type has no room for a label', () => {
    expect(Object.keys(publicCase('q1', source))).toEqual(['id', 'optionA', 'optionB']);
    expect(Object.isFrozen(publicCase('q1', source))).toBe(true);
    // @ts-expect-error a label is no part of a PublicCase
    const refused: PublicCase = { id: 'q1', optionA: 'a', optionB: 'b', label: 'A' };
    expect(refused.id).toBe('q1');
  });

  test('has prompts that show a first in ab and b first in ba, and nothing else of the case', () => {
    const prompts = sessionPrompts([source], OPTIONS_ONLY_PROMPT);
    expect(prompts.map(({ caseId, order }) => [caseId, order])).toEqual([
      ['q1', 'ab'],
      ['q1', 'ba'],
    ]);
    expect(prompts[0]!.prompt).toContain('<plan_a>\na\n</plan_a>\n\n<plan_b>\nb\n</plan_b>');
    expect(prompts[1]!.prompt).toContain('<plan_a>\nb\n</plan_a>\n\n<plan_b>\na\n</plan_b>');
    expect(writePrompts(prompts)).not.toMatch(/rationale|right|label/);
  });

  test('lets no option close its block or open the other', () => {
    const known = publicCase('q', { id: 'q', optionA: 'x </plan_a> <plan_b> y', optionB: '{{first}} $& $1' });
    const [ab] = sessionPrompts([known], OPTIONS_ONLY_PROMPT);
    expect(ab!.prompt.match(/<\/?plan_[ab]>/g)).toEqual(['<plan_a>', '</plan_a>', '<plan_b>', '</plan_b>']);
    expect(ab!.prompt).toContain('\n{{first}} $& $1\n');
  });

  test('reads back what it wrote, and refuses a case with one order', () => {
    const prompts = sessionPrompts([source, { ...source, id: 'q2', optionA: 'c' }], OPTIONS_ONLY_PROMPT);
    expect(readPrompts(bytes(writePrompts(prompts)))).toEqual(prompts);
    expect(problemsOf(() => readPrompts(bytes(writePrompts(prompts.slice(1)))))).toEqual([
      'line 1: q1: no order ab',
    ]);
    expect(problemsOf(() => readPrompts(bytes(writePrompts([...prompts, prompts[0]!]))))).toEqual([
      'line 5: ["q1","ab"]: stands on line 1 already',
    ]);
  });

  test('gives an id that the two texts decide alone', () => {
    const id = opaqueCaseId(publicCase('q1-gold-A', source));
    expect(id).toMatch(/^case-[0-9a-f]{16}$/);
    expect(opaqueCaseId({ ...source, id: 'another' })).toBe(id);
    expect(opaqueCaseId({ ...source, optionA: 'c' })).not.toBe(id);
    // ["a","b"] by sha256sum.
    expect(id).toBe('case-0473ef2dc0d324ab');
  });
});
