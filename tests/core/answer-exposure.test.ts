import { answerExposure, exposureParts, releaseDate } from '../../core/answer-exposure';
import type { PlannedCandidate } from '../../core/bench-plan';

const RELEASES = { 'openai:gpt-5': '2025-08-07', 'anthropic:claude-haiku-4-5': '2025-10-15' };

test.each([
  ['openai', 'gpt-5', '2025-08-07'],
  ['openrouter', 'openai/gpt-5', '2025-08-07'],
  ['openrouter', 'anthropic/claude-haiku-4.5', '2025-10-15'],
  ['openai', 'gpt-4o-2024-08-06', '2024-08-06'],
  ['anthropic', 'claude-haiku-4-5-20251001', '2025-10-01'],
  ['openai', 'gpt-5-mini', null],
  ['openai', 'constructor', null],
])('%s:%s was released on %s', (provider, model, day) => {
  expect(releaseDate(provider, model, RELEASES)).toBe(day);
});

function candidate(label: string, provider: string, releasedOn?: string | null): PlannedCandidate {
  return {
    label,
    provider,
    model: label,
    mode: 'direct',
    price: {
      inputUsdPerMTok: 1,
      outputUsdPerMTok: 1,
      cacheReadUsdPerMTok: null,
      cacheWriteUsdPerMTok: null,
      source: 'table',
    },
    ...(releasedOn === undefined ? {} : { releasedOn }),
  };
}

describe('answers that are public since 2025-02-26', () => {
  const old = candidate('old', 'openai', '2024-12-17');
  const sameDay = candidate('same-day', 'openai', '2025-02-26');
  const unknown = candidate('unknown', 'openrouter', null);
  const plannedEarlier = candidate('planned-earlier', 'openrouter');
  const made = candidate('made-up', 'sim', null);

  test('may have been read by who came that day or later, and by whom nobody can date; not by a simulated one', () => {
    const all = [old, sameDay, unknown, plannedEarlier, made];
    expect(answerExposure(all, '2025-02-26')).toEqual({
      before: [old],
      after: [sameDay],
      unknown: [unknown, plannedEarlier],
    });
    expect(exposureParts(all, '2025-02-26')).toEqual([
      'may have read the answers, released later: same-day (2025-02-26)',
      'may have read the answers, release date not known: unknown, planned-earlier',
      'released before the answers were public: old (2024-12-17)',
    ]);
  });

  test('are nothing to a bench of simulated models: not a word', () => {
    expect(exposureParts([made], '2025-02-26')).toEqual([]);
  });
});
