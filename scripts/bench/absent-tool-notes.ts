import type { BenchPlan } from '../../core/bench-plan';

/** Which literature tools a bench's pipeline candidates will not be offered here, and why, a sentence each. */
export function absentToolNotes({ n, candidates, literature }: BenchPlan, env: NodeJS.ProcessEnv): string[] {
  if (n === 0 || literature !== 'live' || !candidates.some(({ mode }) => mode === 'pipeline')) return [];
  const { literatureSettings } =
    require('../../activities/literature/literature-settings') as typeof import('../../activities/literature/literature-settings');
  const { NO_WEB_SEARCH, searchWebSource } =
    require('../../activities/literature/web/search-web') as typeof import('../../activities/literature/web/search-web');
  return searchWebSource(literatureSettings(env)) ? [] : [`search_web is not offered: ${NO_WEB_SEARCH}`];
}
