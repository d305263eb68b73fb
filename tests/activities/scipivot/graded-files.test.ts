import { type FileLine, readPredictions } from '../../../activities/scipivot/predictions';
import { LONGEST_LINE_BYTES, readReferences, writeReferences } from '../../../activities/scipivot/references';
import { FileRefused } from '../../../activities/scipivot/refusal';
import { problemsOf, refusalOf } from './refused-file';

const bytes = (text: string) => Buffer.from(text);

describe('a file of references', () => {
  const GOOD =
    '{"format":1,"revision":"r","references":[\n{"case_id":"x","label":"A"},\n{"case_id":"y","label":"B"}]}';

  test('gives its revision and its two labels', () => {
    const expected = {
      revision: 'r',
      references: [
        { caseId: 'x', label: 'A' },
        { caseId: 'y', label: 'B' },
      ],
    };
    expect(readReferences(bytes(GOOD))).toEqual(expected);
    expect(readReferences(bytes(`\ufeff${GOOD}`))).toEqual(expected);
  });

  test.each([
    [
      'a repeated key',
      GOOD.replace('"case_id":"y"', '"case_id":"y","case_id":"y"'),
      'line 3: key "case_id" stands twice',
    ],
    [
      'a repeated key, escaped',
      GOOD.replace('"label":"B"', '"label":"B","l\\u0061bel":"A"'),
      'line 3: key "label" stands twice',
    ],
    [
      'an unknown field',
      GOOD.replace('"label":"B"', '"label":"B","note":1'),
      'line 3: references[1]: Unrecognized key: "note"',
    ],
    [
      'an unknown field at the top',
      GOOD.replace('{"format":1', '{"format":1,"by":"me"'),
      'line 1: the whole: Unrecognized key: "by"',
    ],
    [
      'a field named __proto__',
      GOOD.replace('"label":"B"', '"label":"B","__proto__":{}'),
      'line 3: references[1]: Unrecognized key: "__proto__"',
    ],
    ['a label C', GOOD.replace('"B"', '"C"'), 'line 3: references[1].label: Invalid option'],
    ['a lower-case label', GOOD.replace('"B"', '"b"'), 'line 3: references[1].label: Invalid option'],
    ['no label', GOOD.replace(',"label":"B"', ''), 'line 3: references[1].label: Invalid option'],
    ['a number for an id', GOOD.replace('"y"', '7'), 'line 3: references[1].case_id: Invalid input'],
    ['an empty id', GOOD.replace('"y"', '""'), 'line 3: references[1].case_id: Too small'],
    [
      'a case named twice',
      GOOD.replace('"y"', '"x"'),
      'line 3: references[1].case_id: a case named before: "x"',
    ],
    ['another format', GOOD.replace('"format":1', '"format":2'), 'line 1: format: Invalid input'],
    ['no revision', GOOD.replace('"revision":"r",', ''), 'line 1: revision: Invalid input'],
    ['no references', '{"format":1,"revision":"r","references":[]}', 'line 1: references: Too small'],
    ['an array instead', '[]', 'line 1: the whole: Invalid input'],
    ['JSON cut off', GOOD.slice(0, -2), 'line 3: not JSON'],
    ['a trailing comma', GOOD.replace('"B"}', '"B"},'), 'line 3: not JSON'],
    ['nothing', '', 'line 1: not JSON'],
    ['a text nested 65 deep', `[\n${'['.repeat(64)}${']'.repeat(64)}]`, 'line 2: nested deeper than 64'],
    ['a million brackets', '['.repeat(1_000_000), 'line 1: nested deeper than 64'],
    [
      'a line over 1 MB',
      GOOD.replace('\n', `\n${' '.repeat(LONGEST_LINE_BYTES)}`),
      'line 2: over 1000000 bytes',
    ],
  ])('is refused for %s, with the line', (_, text, problem) => {
    expect(problemsOf(() => readReferences(bytes(text)))[0]).toContain(problem);
  });

  test('is refused for bytes that are not UTF-8, with the line', () => {
    const broken = Buffer.concat([bytes('{"format":1,\n"revision":"'), Buffer.from([0xff]), bytes('"}')]);
    expect(problemsOf(() => readReferences(broken))).toEqual(['line 2: not UTF-8']);
  });

  test('tells no label and no more than twenty of its thirty problems', () => {
    const entries = Array.from({ length: 30 }, (_, i) => `{"case_id":"c${i}","label":"secret-${i}"}`);
    const text = `{"format":1,"revision":"r","references":[${entries.join(',\n')}]}`;
    const refusal = refusalOf(() => readReferences(bytes(text)));
    expect([refusal.problems.length, refusal.nProblems]).toEqual([20, 30]);
    expect(refusal.message).not.toContain('secret');
  });

  test('is written in one way for one content, and read back the same', () => {
    const references = readReferences(bytes(GOOD));
    const reversed = { ...references, references: [...references.references].reverse() };
    expect(writeReferences(reversed)).toBe(writeReferences(references));
    expect(readReferences(bytes(writeReferences(references)))).toEqual(references);
  });
});

describe('a file of predictions', () => {
  const GOOD = '{"case_id":"x","order":"ab","status":"ok","response":"A"}';
  const known = new Set(['x', 'y']);
  const read = (...lines: (string | Buffer | null)[]) => {
    const asLines = lines.map(
      (line, i): FileLine => ({ number: i + 1, bytes: typeof line === 'string' ? bytes(line) : line }),
    );
    return readPredictions(streamOf(asLines), known);
  };

  test('gives each session its ruling', async () => {
    const predictions = await read(
      `\ufeff${GOOD}\r`,
      '{"response":"{\\"answer\\":\\"A\\",\\"answer\\":\\"A\\"}","status":"ok","order":"ba","case_id":"x"}',
      '{"case_id":"y","order":"ab","status":"timeout"}',
      '{"case_id":"y","order":"ba","status":"refused","response":null}',
    );
    expect(predictions).toEqual([
      { caseId: 'x', order: 'ab', outcome: { kind: 'answer', letter: 'A' } },
      { caseId: 'x', order: 'ba', outcome: { kind: 'ambiguous' } },
      { caseId: 'y', order: 'ab', outcome: { kind: 'timeout' } },
      { caseId: 'y', order: 'ba', outcome: { kind: 'refused' } },
    ]);
  });

  test('that is empty gives no predictions', async () => {
    expect(await read()).toEqual([]);
  });

  test.each([
    ['an unknown case', GOOD.replace('"x"', '"z"'), 'line 2: case_id: not in the references: "z"'],
    ['an unknown order', GOOD.replace('"ab"', '"ac"'), 'line 2: order: Invalid option'],
    ['an upper-case order', GOOD.replace('"ab"', '"AB"'), 'line 2: order: Invalid option'],
    ['a session twice', GOOD, 'line 2: case "x", order ab: stands on line 1 already'],
    ['an unknown status', GOOD.replace('"ok"', '"done"'), 'line 2: status: Invalid'],
    [
      'an unknown field',
      GOOD.replace('"A"', '"A","label":"A"'),
      'line 2: the whole: Unrecognized key: "label"',
    ],
    [
      'a field named __proto__',
      GOOD.replace('"A"', '"A","__proto__":1'),
      'line 2: the whole: Unrecognized key: "__proto__"',
    ],
    ['no response', GOOD.replace(',"response":"A"', ''), 'line 2: response: Invalid input'],
    ['a null response', GOOD.replace('"response":"A"', '"response":null'), 'line 2: response: Invalid input'],
    [
      'a number as response',
      GOOD.replace('"response":"A"', '"response":1'),
      'line 2: response: Invalid input',
    ],
    ['no status', GOOD.replace('"status":"ok",', ''), 'line 2: status: Invalid'],
    ['no case', GOOD.replace('"case_id":"x",', ''), 'line 2: case_id: Invalid input'],
    [
      'a repeated key',
      GOOD.replace('"ok"', '"ok","status":"timeout"'),
      'line 2: key "status" stands twice in one object',
    ],
    [
      'a repeated key, escaped',
      GOOD.replace('"ok"', '"ok","st\\u0061tus":"ok"'),
      'line 2: key "status" stands twice',
    ],
    ['an array', `[${GOOD}]`, 'line 2: the whole: Invalid input'],
    ['two objects', `${GOOD}${GOOD}`, 'line 2: not JSON'],
    ['prose', 'A', 'line 2: not JSON'],
    ['an empty line', '', 'line 2: empty'],
    ['a blank line', ' \t\r', 'line 2: empty'],
    ['a second byte-order mark', `\ufeff${GOOD}`, 'line 2: not JSON'],
    ['bytes that are not UTF-8', Buffer.from([0x7b, 0xc3, 0x28, 0x7d]), 'line 2: not UTF-8'],
    ['a line over 1 MB', null, 'line 2: over 1000000 bytes'],
  ])('is refused for %s, with the line', async (_, line, problem) => {
    const refused = await read(GOOD, line).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(FileRefused);
    expect((refused as FileRefused).problems[0]).toContain(problem);
  });

  test('tells all bad lines at once, and never steers the terminal', async () => {
    const refused = await read('x', GOOD.replace('"x"', '"\\u001b[2J"'), `{"${'k'.repeat(5000)}":1}`).catch(
      (error: unknown) => error,
    );
    const { problems } = refused as FileRefused;
    expect(problems.slice(0, 2)).toEqual([
      'line 1: not JSON',
      'line 2: case_id: not in the references: "\\u001b[2J"',
    ]);
    for (const problem of problems) {
      expect(problem.length).toBeLessThanOrEqual(300);
      expect(problem).not.toMatch(/\p{C}/u);
    }
  });
});

async function* streamOf(lines: FileLine[]): AsyncIterable<FileLine> {
  yield* lines;
}
