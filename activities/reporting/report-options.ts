import { createHash } from 'node:crypto';
import type { BenchPlan } from '../../core/bench-plan';
import { compareText } from '../../core/compare-text';
import { EVAL_AGENTS } from '../../core/evaluation/eval-check';
import type { ReportOptions } from '../../core/report/bench-report';
import type { ThemeSet } from '../../core/report/themes';
import { catalogue, findGoldSet, findPrompt, findRubric } from '../../presets';
import { readDataFile } from '../../presets/data-file';

/** A new set of themes is a file in presets/themes and its name here. */
const THEME_SETS = ['aml'];

/** What every report is made with: all registered gold sets, sets of themes and rubrics. */
export function reportOptions(): ReportOptions {
  return {
    goldSets: catalogue([]).goldSets.map(findGoldSet),
    themeSets: THEME_SETS.map((name) => readDataFile<ThemeSet>('themes', name)),
    rubrics: EVAL_AGENTS.map(findRubric),
  };
}

/**
 * SHA-256 of the prompts a plan names, by name; null where the version that this program has is another one.
 */
export function promptHashes({ prompts }: Pick<BenchPlan, 'prompts'>): Record<string, string | null> {
  const known = catalogue([]).prompts;
  return Object.fromEntries(
    Object.entries(prompts)
      .sort(([one], [other]) => compareText(one, other))
      .map(([name, version]) => [name, known[name] === version ? hashPrompt(name) : null]),
  );
}

function hashPrompt(name: string): string {
  const { system, user } = findPrompt(name);
  return createHash('sha256')
    .update(JSON.stringify([system, user]))
    .digest('hex');
}
