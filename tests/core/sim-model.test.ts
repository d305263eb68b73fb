import { parseSimModel } from '../../core/sim-model';

const TRAITS = { alder: { skill: 1.2, spread: 0.6, accuracy: 0.9, bias: 0.4 } };
const PLAIN = { name: 'alder', ...TRAITS.alder, answer: null, latencyMs: 0, fail: [] };

// The syntax of CONTRACTS.md, "The `sim` provider".
test.each([
  ['alder', PLAIN],
  ['alder,skill=-0.5,spread=0', { ...PLAIN, skill: -0.5, spread: 0 }],
  ['alder,accuracy=1,bias=2.5,answer=always-a', { ...PLAIN, accuracy: 1, bias: 2.5, answer: 'always-a' }],
  [
    'alder,latency=250,fail=rate_limited:0.1,fail=truncated:0.25',
    {
      ...PLAIN,
      latencyMs: 250,
      fail: [
        { kind: 'rate_limited', p: 0.1 },
        { kind: 'truncated', p: 0.25 },
      ],
    },
  ],
])('%s', (text, expected) => {
  expect(parseSimModel(text, TRAITS)).toEqual({ value: expected });
});

test.each([
  ['oak', ['unknown sim model "oak" (known: alder)']],
  ['toString', ['unknown sim model "toString" (known: alder)']],
  ['', ['unknown sim model "" (known: alder)']],
  ['alder,', ['unknown sim option "" (known: skill, spread, accuracy, bias, latency, answer, fail)']],
  ['alder,skill=', ['sim option skill: "" is not -20 to 20 (logits)']],
  ['alder,skill=1e9', ['sim option skill: "1e9" is not -20 to 20 (logits)']],
  ['alder,spread=-1', ['sim option spread: "-1" is not 0 to 20 (logits)']],
  ['alder,accuracy=1.1', ['sim option accuracy: "1.1" is not 0 to 1 (a probability)']],
  ['alder,latency=0x10', ['sim option latency: "0x10" is not 0 to 600000 (ms)']],
  ['alder,answer=always-b', ['sim option answer: unknown "always-b" (known: always-a)']],
  ['alder,skill=1,skill=2', ['sim option "skill" is given twice']],
  ['alder,fail=timeout', ['sim option fail: "timeout" is not <kind>:<chance from 0 to 1>']],
  ['alder,fail=timeout:2', ['sim option fail: "timeout:2" is not <kind>:<chance from 0 to 1>']],
  ['alder,fail=timeout:0.5,fail=timeout:0.5', ['sim option fail: timeout is given twice']],
  ['alder,fail=timeout:.5', ['sim option fail: "timeout:.5" is not <kind>:<chance from 0 to 1>']],
  ['alder,fail=timeout:0.6,fail=empty:0.6', ['the chances of sim option "fail" add up to 1.2, over 1']],
])('%s is refused: %j', (text, problems) => {
  expect(parseSimModel(text, TRAITS)).toEqual({ problems });
});

test('an unknown fail kind is named with what is known', () => {
  expect(parseSimModel('alder,fail=boom:1', TRAITS, () => 'dropped')).toEqual({
    problems: [expect.stringMatching(/unknown kind "boom" \(known: bad_request, .*did you mean dropped\?\)/)],
  });
});
