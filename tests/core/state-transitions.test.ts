import fc from 'fast-check';
import type { HypothesisState } from '../../core/bench-states';
import { assertTransition, canBecome, statesBefore, TRANSITIONS } from '../../core/state-transitions';

test('a hypothesis goes draft → reviewed → in_tournament, and skips neither', () => {
  expect(canBecome('hypothesis', 'draft', 'reviewed')).toBe(true);
  expect(canBecome('hypothesis', 'reviewed', 'in_tournament')).toBe(true);
  expect(canBecome('hypothesis', 'draft', 'in_tournament')).toBe(false);
  expect(canBecome('hypothesis', 'in_tournament', 'draft')).toBe(false);
});

test.each<HypothesisState>(['duplicate', 'in_tournament'])('a hypothesis that is %s stays so', (state) => {
  expect(TRANSITIONS.hypothesis[state]).toEqual([]);
});

test('an over-budget slot reopens, a dropped candidate does not', () => {
  expect(canBecome('hypothesis', 'over_budget', 'planned')).toBe(true);
  expect(TRANSITIONS.hypothesis.failed).toEqual(['planned']);
  expect(TRANSITIONS.candidate.dropped).toEqual([]);
});

test('a transition that is not in the table throws, naming kind, states and what is allowed', () => {
  expect(() => assertTransition('hypothesis', 'duplicate', 'draft')).toThrow(
    'hypothesis: duplicate cannot become draft (allowed: nothing)',
  );
  expect(() => assertTransition('bench', 'planned', 'finished')).toThrow(
    'bench: planned cannot become finished (allowed: running, failed, cancelled)',
  );
  expect(() => assertTransition('bench', 'running', 'running')).toThrow('running cannot become running');
  expect(() => assertTransition('bench', 'constructor' as 'planned', 'running')).toThrow('cannot become');
  expect(() => assertTransition('candidate', 'generating', 'ready')).not.toThrow();
});

test('running is reached from planned, paused and, by resume, from the three ends', () => {
  expect(statesBefore('bench', 'running')).toEqual(['planned', 'paused', 'finished', 'failed', 'cancelled']);
});

test('every state can be reached from planned, and every target is a state', () => {
  for (const table of Object.values(TRANSITIONS) as Record<string, readonly string[]>[]) {
    const reached = new Set(['planned']);
    for (const state of reached) for (const next of table[state]!) reached.add(next);
    expect([...reached].sort()).toEqual(Object.keys(table).sort());
  }
});

test('assertTransition throws exactly where canBecome says no', () => {
  const states = Object.keys(TRANSITIONS.candidate) as (keyof typeof TRANSITIONS.candidate)[];
  fc.assert(
    fc.property(fc.constantFrom(...states), fc.constantFrom(...states), (from, to) => {
      const throws = () => {
        try {
          assertTransition('candidate', from, to);
          return false;
        } catch {
          return true;
        }
      };
      expect(throws()).toBe(!canBecome('candidate', from, to));
    }),
  );
});
