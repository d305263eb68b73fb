import { runCli } from './run-cli';

// Without --from nothing may be started: there is no stack that these could reach.
const env = { CO_SCIENTIST_HOME: '/nowhere', DATABASE_URL: 'postgres://127.0.0.1:1/none' };

test('70 Elo take 9, 35 and 97 hypotheses at the least, for spreads .3, .6 and 1, and more of them in a plan', async () => {
  const { exitCode, stdout } = await runCli(['power', '--gap', '70', '--candidates', '4', '--json'], env);
  expect(exitCode).toBe(0);
  const { plans, power, usdPerHypothesis, usdPerVerdict } = JSON.parse(stdout);
  expect(power).toBe(0.8);
  expect(plans.map((plan: { spread: number }) => plan.spread)).toEqual([0.3, 0.6, 1]);
  expect(plans.map((plan: { leastHypotheses: number }) => plan.leastHypotheses)).toEqual([9, 35, 97]);
  for (const { n, matches, hypotheses, verdicts, usd, leastHypotheses, detectableGapElo } of plans) {
    expect(n).toBeGreaterThanOrEqual(leastHypotheses);
    expect(hypotheses).toBe(4 * n);
    expect(verdicts).toBe(6 * matches * 2);
    expect(usd).toBeCloseTo(hypotheses * usdPerHypothesis + verdicts * usdPerVerdict, 9);
    expect(detectableGapElo).toBeLessThanOrEqual(70.01);
  }
});

test('the table says the spreads, the dollars and whose prices they are of', async () => {
  const { stdout } = await runCli(['power', '--gap', '200', '--candidates', '8', '--preset', 'demo'], env);
  expect(stdout).toMatch(/^spread +n +matches a pair +hypotheses +verdicts +simulated \$ +least n$/m);
  for (const row of [/^ +0\.30 .* 2$/m, /^ +0\.60 .* 5$/m, /^ +1\.00 .* 12$/m]) expect(stdout).toMatch(row);
  expect(stdout).toContain('usual calls of preset demo');
});

test('a gap of 0, one candidate and an unknown preset end with 2 and say what could be', async () => {
  const size = await runCli(['power', '--gap', '0', '--candidates', '1'], env);
  expect(size.exitCode).toBe(2);
  expect(size.stderr).toMatch(/--gap: "0" is not .*\n.*--candidates: "1" is not an integer from 2 to 60/);
  const preset = await runCli(['power', '--gap', '70', '--candidates', '4', '--preset', 'demp'], env);
  expect(preset.exitCode).toBe(2);
  expect(preset.stderr).toContain('did you mean demo?');
});
