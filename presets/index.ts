import type { BenchPreset, Catalogue } from '../core/bench-plan';
import { EVAL_AGENTS, type EvalAgent } from '../core/evaluation/eval-check';
import type { Rubric } from '../core/evaluation/rubric';
import type { GoldSet } from '../core/gold-set';
import type { ModelPrice, PriceTable } from '../core/prices';
import type { SimTraits } from '../core/sim-model';
import { readDataFile } from './data-file';
import modelReleases from './model-releases.json';
import type { Prompt } from './prompt';
import simModels from './sim-models.json';
import { suggest } from './suggest';

// The registries: a new preset, gold set or prompt is a file in its folder and its name here.
const BENCHES = ['demo', 'paper', 'paper-aml', 'paper-aml-vs-raw', 'frontier-aml-vs-raw'];
const GOLD_SETS = ['aml-repurposing-paper-top3', 'aml-repurposing-paper-5'];
const PROMPTS = [
  'generation-direct',
  'generation-pipeline',
  'nudge',
  'repair',
  'talk',
  'review',
  'verdict',
  'verdict-text',
  'debate-argument',
  'debate-record',
  'probe',
];
/** The last one is in force. */
const PRICE_TABLES = ['2026-08-05'];

/** What planning may choose from. @param providers names of the registered providers */
export function catalogue(providers: readonly string[]): Catalogue {
  return {
    providers: [...providers],
    presets: Object.fromEntries(BENCHES.map((name) => [name, readPreset(name)])),
    goldSets: [...GOLD_SETS],
    priceTable: findPriceTable(),
    releases: modelReleases.releasedOn,
    simModels: findSimModels(),
    prompts: Object.fromEntries(PROMPTS.map((name) => [name, findPrompt(name).version])),
    suggest,
  };
}

/** @throws Error for a name that is not registered, as the other finders do */
export function findGoldSet(name: string): GoldSet {
  return readDataFile<GoldSet>('gold-sets', registered('gold set', GOLD_SETS, name));
}

/** Read once in a process: it is asked for before every call. */
export function findPrompt(name: string): Prompt {
  const known = prompts.get(name);
  if (known) return known;
  const prompt = readDataFile<Prompt>('prompts', registered('prompt', PROMPTS, name));
  prompts.set(name, prompt);
  return prompt;
}

const prompts = new Map<string, Prompt>();

/** A rubric with the words that ask for its scores. */
export function findRubric(agent: EvalAgent): Rubric & Prompt {
  const known = rubrics.get(agent);
  if (known) return known;
  const rubric = readDataFile<Rubric & Prompt>('rubrics', registered('rubric', EVAL_AGENTS, agent));
  rubrics.set(agent, rubric);
  return rubric;
}

const rubrics = new Map<EvalAgent, Rubric & Prompt>();

/** The table of that day, or the one in force. */
export function findPriceTable(name = PRICE_TABLES.at(-1)!): PriceTable {
  const data = readDataFile<PriceTableFile>('price-tables', registered('price table', PRICE_TABLES, name));
  return {
    name: data.name,
    asOf: data.as_of,
    prices: toModelPrices(data.prices),
    providerPrices: toModelPrices(data.providerPrices),
  };
}

export function findSimModels(): Record<string, SimTraits> {
  return simModels;
}

interface PresetFile {
  name: string;
  description: string;
  /** Which model of the paper each label stands for. */
  standsFor?: Record<string, string>;
  /** A goal's name; null: the user's. */
  goal: string | null;
  input: BenchPreset['input'];
}

interface GoalFile {
  name: string;
  version: number;
  lines: string[];
}

interface PriceTableFile {
  name: string;
  as_of: string;
  prices: Record<string, PriceEntry>;
  providerPrices: Record<string, PriceEntry>;
}

/** `source` is the page the price was read from. */
type PriceEntry = Omit<ModelPrice, 'source'> & { source: string; note?: string };

function readPreset(name: string): BenchPreset {
  const { description, standsFor, goal, input } = readDataFile<PresetFile>('benches', name);
  return {
    description,
    ...(standsFor && { standsFor }),
    input: goal === null ? input : { ...input, goal: readDataFile<GoalFile>('goals', goal).lines.join('\n') },
  };
}

function toModelPrices(entries: Record<string, PriceEntry>): Record<string, ModelPrice> {
  return Object.fromEntries(
    Object.entries(entries).map(([name, { source: _, note: __, ...rates }]) => [
      name,
      { ...rates, source: 'table' },
    ]),
  );
}

function registered(kind: string, names: readonly string[], name: string): string {
  if (!names.includes(name)) throw new Error(`no ${kind} ${name} (known: ${names.join(', ')})`);
  return name;
}
