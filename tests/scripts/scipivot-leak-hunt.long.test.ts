import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { CaseIds } from '../../activities/scipivot/prompts';
import { readReferences } from '../../activities/scipivot/references';
import { randomFrom } from '../../core/random';
import type { Letter } from '../../core/scipivot/public-case';
import { exportRelease } from '../../scripts/scipivot/export-release';
import { type Find, huntForLabels, type PublicView } from '../core/scipivot/leak-hunt';

const FIXTURE = path.join(__dirname, '../../presets/scipivot/fixture/questions.json');

interface Question {
  id: string;
  option_a: string;
  option_b: string;
  label: Letter;
}
const fixture = (JSON.parse(readFileSync(FIXTURE, 'utf8')) as { questions: Question[] }).questions;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'scipivot-leak-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('the hunt for labels in everything public', () => {
  test('does no better than chance on the fixture’s export', async () => {
    const finds = await huntIn(fixture, 'opaque');
    expect(finds).toEqual([]);
  });

  test('does no better than chance on the fixture’s export under its own ids', async () => {
    expect(await huntIn(fixture, 'source')).toEqual([]);
  });

  test('finds no text of the grader’s side in the public directory', async () => {
    await exported(fixture, 'opaque');
    const text = readFileSync(path.join(folder, 'public', 'prompts.jsonl'), 'utf8');
    expect(/"label"|"references?"|source_id|fx-/.exec(text)).toBeNull();
    for (const line of text.trim().split('\n')) {
      expect(Object.keys(JSON.parse(line) as object)).toEqual(['case_id', 'order', 'prompt']);
    }
  });

  describe('finds what is planted, so it can find something', () => {
    test('the better option being the longer one', async () => {
      const finds = await huntIn(
        turned((right, wrong) => right.length > wrong.length),
        'opaque',
      );
      expect(finds.map(({ attempt }) => attempt)).toContain('A has more: characters');
    });

    test('one phrase only better options have', async () => {
      const telling = fixture.map((question) => {
        const key = question.label === 'A' ? 'option_a' : 'option_b';
        return { ...question, [key]: `${question[key]} Note the control.` };
      });
      const finds = await huntIn(telling, 'opaque');
      expect(finds.map(({ attempt }) => attempt)).toContain('learner on words of A less words of B');
    });

    test('a weak habit: half of the better options say "carefully", and one in eight of the others', async () => {
      const random = randomFrom(3, 'weak habit');
      const habit = (text: string, chance: number) =>
        random.uniform() < chance ? `${text} Act carefully.` : text;
      const telling = fixture.map((question) => ({
        ...question,
        option_a: habit(question.option_a, question.label === 'A' ? 0.5 : 0.125),
        option_b: habit(question.option_b, question.label === 'B' ? 0.5 : 0.125),
      }));
      expect((await huntIn(telling, 'opaque')).length).toBeGreaterThan(0);
    });

    test('the label in the release’s own ids: found under them, gone under opaque ones', async () => {
      const telling = fixture.map((question, i) => ({
        ...question,
        id: `case${1000 + i}-${question.label === 'A' ? 'x' : 'y'}`,
      }));
      expect((await huntIn(telling, 'source')).map(({ attempt }) => attempt)).toContain(
        'learner on letters and digits of the id',
      );
      expect(await huntIn(telling, 'opaque')).toEqual([]);
    });

    test('ids numbered through the As and then the Bs: found under them, gone under opaque ones', async () => {
      const sorted = [...fixture].sort((a, b) => (a.label < b.label ? -1 : a.label > b.label ? 1 : 0));
      const numbered = sorted.map((question, i) => ({ ...question, id: `case-${i + 1}` }));
      expect((await huntIn(numbered, 'source')).map(({ attempt }) => attempt)).toContain('place, before 0.5');
      expect(await huntIn(numbered, 'opaque')).toEqual([]);
    });
  });
});

/** The fixture with each case's label moved to the option the rule prefers. */
function turned(isRight: (one: string, other: string) => boolean): Question[] {
  return fixture.map((question) => ({
    ...question,
    label: isRight(question.option_a, question.option_b) ? 'A' : 'B',
  }));
}

async function huntIn(questions: readonly Question[], caseIds: CaseIds): Promise<Find[]> {
  rmSync(folder, { recursive: true, force: true });
  await exported(questions, caseIds);
  const lines = readFileSync(path.join(folder, 'public', 'prompts.jsonl'), 'utf8')
    .trim()
    .split('\n');
  const { references } = readReferences(readFileSync(path.join(folder, 'grader', 'references.json')));
  const labels = new Map(references.map(({ caseId, label }) => [caseId, label]));
  const views = Array.from({ length: lines.length / 2 }, (_, place) => viewOf(place, lines));
  return huntForLabels(
    views,
    views.map(({ id }) => labels.get(id)!),
  );
}

function viewOf(place: number, lines: readonly string[]): PublicView {
  const pair: [string, string] = [lines[2 * place]!, lines[2 * place + 1]!];
  const { case_id: id, prompt } = JSON.parse(pair[0]) as { case_id: string; prompt: string };
  const [, optionA, optionB] = /<plan_a>\n(.*)\n<\/plan_a>\n\n<plan_b>\n(.*)\n<\/plan_b>/s.exec(prompt)!;
  return { id, place, optionA: optionA!, optionB: optionB!, lines: pair };
}

async function exported(questions: readonly Question[], caseIds: CaseIds): Promise<void> {
  const release = mkdtempSync(path.join(tmpdir(), 'scipivot-release-'));
  try {
    const file = path.join(release, 'questions.json');
    writeFileSync(file, JSON.stringify({ questions }));
    await exportRelease({
      questions: file,
      publicDir: path.join(folder, 'public'),
      graderDir: path.join(folder, 'grader'),
      output: path.join(folder, 'receipt.json'),
      caseIds,
      allowUnpinned: true,
    });
  } finally {
    rmSync(release, { recursive: true, force: true });
  }
}
