import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Random, randomFrom } from '../core/random';
import { compareCaseIds } from '../core/scipivot/case-order';
import { betterFixtureOption } from '../core/scipivot/fixture-merit';
import type { SourceCase } from '../core/scipivot/public-case';
import wording from '../presets/scipivot/fixture/wording.json';

/**
 * Writes our own fixture, of the size of the release and of nothing else of it: 248 cases of invented plans,
 * 124 labelled A and 124 B, and 60 rows of invented aggregates. The same seed gives the same bytes.
 * Run: `node --import tsx scripts/build-scipivot-fixture.ts`
 */
const SEED = 20261004;
const N_CASES = 248;
const NOTICE =
  'FIXTURE. Invented by a seeded script of this repository (scripts/build-scipivot-fixture.ts), MIT. Not the ' +
  'SciΠvot release, not derived from it, and no measure of anything: the label follows a keyed hash of the texts.';

/** The two files of the fixture, as they stand in presets/scipivot/fixture. */
export function fixtureFiles(): { 'questions.json': string; 'aggregates.csv': string } {
  return { 'questions.json': questionsText(fixtureCases()), 'aggregates.csv': aggregatesText() };
}

function fixtureCases(): SourceCase[] {
  const random = randomFrom(SEED, 'scipivot-fixture', 'cases');
  const labels = random.shuffle(Array.from({ length: N_CASES }, (_, i) => (i < N_CASES / 2 ? 'A' : 'B')));
  const seen = new Set<string>();
  const cases = labels.map((label): SourceCase => {
    const [one, other] = twoPlans(random, seen);
    const [better, worse] = betterFixtureOption(one, other) === 'A' ? [one, other] : [other, one];
    const [optionA, optionB] = label === 'A' ? [better, worse] : [worse, better];
    return { id: `fx-${hexDigits(random, 8)}`, optionA, optionB, label };
  });
  return cases.sort((a, b) => compareCaseIds(a.id, b.id));
}

/** Two plans on one topic, alike in form; every other part is drawn from one list, without repeating. */
function twoPlans(random: Random, seen: Set<string>): [string, string] {
  for (;;) {
    const topic = wording.topics[random.integers(0, wording.topics.length)]!;
    const [actions, safeguards, decisions] = [wording.actions, wording.safeguards, wording.decisions].map(
      (list) => random.shuffle(list).slice(0, 2),
    ) as [string[], string[], string[]];
    const plans = [0, 1].map((i) => `${actions[i]} ${topic}. ${safeguards[i]} ${decisions[i]}`) as [
      string,
      string,
    ];
    if (plans.some((plan) => seen.has(plan))) continue;
    for (const plan of plans) seen.add(plan);
    return plans;
  }
}

function questionsText(cases: readonly SourceCase[]): string {
  const questions = cases.map(({ id, optionA, optionB, label }) => ({
    id,
    option_a: optionA,
    option_b: optionB,
    label,
  }));
  return `${JSON.stringify({ notice: NOTICE, questions }, null, 2)}\n`;
}

function aggregatesText(): string {
  const header =
    'model,condition,n_cases,n_runs,correct,accuracy,n_parsed,parsed_accuracy,case_accuracy,notice';
  const rows: string[] = [];
  for (let model = 1; model <= 5; model++) {
    for (let condition = 1; condition <= 12; condition++) {
      const names = [`fixture-model-${model}`, `fixture-condition-${condition}`];
      rows.push([...names, ...aggregateFigures(randomFrom(SEED, ...names)), 'fixture'].join(','));
    }
  }
  return `${header}\n${rows.join('\n')}\n`;
}

/** Invented sessions, counted; the case accuracy averages over the orders that survived, as upstream does. */
function aggregateFigures(random: Random): string[] {
  const [accuracy, lossRate] = [0.35 + 0.35 * random.uniform(), 0.03 * random.uniform()];
  const cases = Array.from({ length: N_CASES }, () =>
    [0, 1].flatMap(() => {
      const [isParsed, isCorrect] = [random.uniform() >= lossRate, random.uniform() < accuracy];
      return isParsed ? [isCorrect ? 1 : 0] : [];
    }),
  );
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  const [correct, parsed] = [sum(cases.flat()), cases.flat().length];
  const means = cases.filter((scores) => scores.length > 0).map((scores) => sum(scores) / scores.length);
  const [runs, share] = [2 * N_CASES, (value: number) => value.toFixed(4)];
  return [
    ...[N_CASES, runs, correct].map(String),
    share(correct / runs),
    String(parsed),
    share(correct / parsed),
    share(sum(means) / means.length),
  ];
}

function hexDigits(random: Random, n: number): string {
  return Array.from({ length: n }, () => random.integers(0, 16).toString(16)).join('');
}

if (require.main === module) {
  const directory = path.join(__dirname, '..', 'presets', 'scipivot', 'fixture');
  mkdirSync(directory, { recursive: true });
  for (const [name, text] of Object.entries(fixtureFiles())) writeFileSync(path.join(directory, name), text);
}
