import { statSync } from 'node:fs';
import { EVAL_AGENTS, type EvalAgent } from '../../core/evaluation/eval-check';
import { MOST_OF_AN_AGENT } from '../../core/evaluation/rubric';
import { UsageError } from '../cli-error';

export interface EvalRequest {
  agent: EvalAgent | null;
  benchId: string | null;
  folder: string | null;
  leastCompliance: number;
  isJson: boolean;
  junitFile: string | null;
  /** Who is to score the work too; null: nobody. */
  scoring: JudgeRequest | null;
}

export interface JudgeRequest {
  /** `provider:model` */
  judge: string;
  /** Pieces of work of each agent, at most. */
  sample: number;
  /** Of all scores of the bench together. */
  capUsd: number;
  /** Scores in flight at once; null: as many as usual. */
  maxInFlight: number | null;
  /** In USD per million tokens; null: as the bench or the price table has it. */
  price: { inputUsdPerMTok: number; outputUsdPerMTok: number } | null;
  isYes: boolean;
}

const USUAL_SAMPLE = 5;
const USUAL_CAP_USD = 1;

/** @throws UsageError that lists everything wrong with it */
export function readEvalRequest(
  agent: string | null,
  options: Record<string, string | true | undefined>,
): EvalRequest {
  const problems: string[] = [];
  const known = EVAL_AGENTS.find((name) => name === agent) ?? null;
  if (agent !== null && known === null) problems.push(`agent ${JSON.stringify(agent)}: ${meant(agent)}`);
  const leastCompliance = Number(options.minCompliance ?? 1);
  if (!(leastCompliance >= 0 && leastCompliance <= 1))
    problems.push('--min-compliance: not a share from 0 to 1');
  const folder = textOf(options.from);
  if (folder !== null && !statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    problems.push(`--from: ${folder} is no folder`);
  const junitFile = textOf(options.junit);
  if (junitFile !== null && statSync(junitFile, { throwIfNoEntry: false })?.isDirectory())
    problems.push(`--junit: ${junitFile} is a folder, no file`);
  const scoring = readScoring(options, problems);
  if (problems.length > 0) {
    throw new UsageError({
      reason: 'this cannot be evaluated',
      problems,
      remedy: 'see co-scientist eval --help',
    });
  }
  return {
    agent: known,
    leastCompliance,
    benchId: textOf(options.bench),
    folder,
    isJson: options.json === true,
    junitFile,
    scoring,
  };
}

function readScoring(
  options: Record<string, string | true | undefined>,
  problems: string[],
): JudgeRequest | null {
  const judge = textOf(options.judge);
  if (judge === null) {
    const alone = ['sample', 'maxUsd', 'maxInFlight', 'price'].filter((name) => options[name] !== undefined);
    if (alone.length > 0) problems.push(`${alone.map(flagOf).join(', ')}: means nothing without --judge`);
    return null;
  }
  if (options.offline === true) problems.push('--judge: calls a model, which --offline forbids');
  if (textOf(options.bench) === null || textOf(options.from) !== null)
    problems.push(
      '--judge: scores a bench of the database: give --bench, without --from (import brings one in)',
    );
  const sample = Number(options.sample ?? USUAL_SAMPLE);
  if (!isCount(sample)) problems.push(`--sample: not a whole number from 1 to ${MOST_OF_AN_AGENT}`);
  const capUsd = Number(options.maxUsd ?? USUAL_CAP_USD);
  if (!(capUsd > 0 && capUsd <= 1e6)) problems.push('--max-usd: not an amount above 0');
  const inFlight = textOf(options.maxInFlight);
  const maxInFlight = inFlight === null ? null : Number(inFlight);
  if (maxInFlight !== null && !isCount(maxInFlight))
    problems.push(`--max-in-flight: not a whole number from 1 to ${MOST_OF_AN_AGENT}`);
  return {
    ...{ judge, sample, capUsd, maxInFlight },
    price: readPrice(textOf(options.price), problems),
    isYes: options.yes === true,
  };
}

function readPrice(text: string | null, problems: string[]): JudgeRequest['price'] {
  if (text === null) return null;
  const [inputUsdPerMTok = Number.NaN, outputUsdPerMTok = Number.NaN, ...more] = text.split(',').map(Number);
  if (inputUsdPerMTok >= 0 && outputUsdPerMTok >= 0 && more.length === 0)
    return { inputUsdPerMTok, outputUsdPerMTok };
  problems.push('--price: not two amounts, as in 1.25,10 (dollars per million tokens in, and out)');
  return null;
}

function isCount(value: number): boolean {
  return Number.isInteger(value) && value >= 1 && value <= MOST_OF_AN_AGENT;
}

function flagOf(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

function meant(agent: string): string {
  const { suggest } = require('../../presets/suggest') as typeof import('../../presets/suggest');
  const close = suggest(agent, [...EVAL_AGENTS]);
  return `none of ${EVAL_AGENTS.join(', ')}${close ? ` (did you mean ${close}?)` : ''}`;
}

function textOf(value: string | true | undefined): string | null {
  return typeof value === 'string' ? value : null;
}
