import { randomFrom } from '../random';
import type { Letter } from './public-case';

/** The key of the fixture's hidden order. Anyone with this source can compute it; no prompt or file holds it. */
const FIXTURE_KEY = 20261015;

/**
 * The made-up worth of an option of OUR OWN FIXTURE, uniform on [0, 1): a keyed hash of its text, so neither
 * its words nor its length say anything about it. It lets a simulated model, which sees nothing but a prompt,
 * answer with a known accuracy. It means nothing for any text that is not of the fixture.
 */
function fixtureMerit(option: string): number {
  return randomFrom(FIXTURE_KEY, 'scipivot-fixture-merit', option).uniform();
}

/** The letter of the better of two fixture options, by the place shown. */
export function betterFixtureOption(first: string, second: string): Letter {
  return fixtureMerit(first) > fixtureMerit(second) ? 'A' : 'B';
}

/**
 * The right answer to a prompt of the fixture, or null when it is not an options-only prompt.
 * @param prompt as presets/scipivot/options-only-prompt.json shows the two plans
 */
export function fixtureAnswer(prompt: string): Letter | null {
  const shown = /<plan_a>\n(.*)\n<\/plan_a>\n\n<plan_b>\n(.*)\n<\/plan_b>/s.exec(prompt);
  return shown === null ? null : betterFixtureOption(shown[1]!, shown[2]!);
}
