import type { BenchInput } from '../../core/bench-input';
import type { BenchPreset } from '../../core/bench-plan';
import { catalogue } from '../../presets';
import type { Colours } from './terminal';
import { block } from './text-block';

export type ListedPreset = { name: string } & BenchPreset;

export function presetList(): ListedPreset[] {
  return Object.entries(catalogue([]).presets).map(([name, preset]) => ({ name, ...preset }));
}

/** Each with what it compares, who judges, and what stands for a model that can no longer be called. */
export function presetsText(presets: readonly ListedPreset[], width: number, { bold }: Colours): string {
  return presets
    .map(({ name, description, standsFor, input }) => {
      const rows: [string, string][] = [
        ['candidates', (input.candidates ?? []).map(describeCandidate).join('\n')],
        ['judge', [input.judge ?? 'yours to name'].flat().join(', ')],
        ['goal', describeGoal(input.goal)],
        ['gold set', input.goldSet ?? 'none'],
        ['size', describeSize(input)],
      ];
      if (standsFor) {
        const lines = Object.entries(standsFor).map(([label, model]) => `${label}: ${model}`);
        rows.push(['stands for', lines.join('\n')]);
      }
      return `${bold(name)}\n${block([['', description], ...rows], width)}\n`;
    })
    .join('\n');
}

function describeCandidate(candidate: NonNullable<BenchInput['candidates']>[number]): string {
  if (typeof candidate === 'string') return candidate;
  const { label, provider, model, mode } = candidate;
  return `${label}=${provider}:${model}${mode ? `@${mode}` : ''}`;
}

function describeGoal(goal: string | undefined): string {
  if (goal === undefined) return 'yours to give';
  const [first = ''] = goal.split('\n');
  return first;
}

function describeSize({ n, matches }: BenchInput): string {
  return `${n ?? 4} hypotheses each, ${matches ?? 2} matches a pair`;
}
