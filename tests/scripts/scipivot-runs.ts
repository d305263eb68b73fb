import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';

const PROJECT = path.join(__dirname, '../..');
export const BIN = path.join(PROJECT, 'scripts/bin.cjs');
export const QUESTIONS = path.join(PROJECT, 'presets/scipivot/fixture/questions.json');
export const AGGREGATES = path.join(PROJECT, 'presets/scipivot/fixture/aggregates.csv');

export interface Ran {
  code: number;
  stdout: string;
  stderr: string;
}

export function cli(...args: string[]): Promise<Ran> {
  return run(process.execPath, [BIN, 'scipivot', ...args]);
}

export function run(program: string, args: string[], environment: Record<string, string> = {}): Promise<Ran> {
  const env = { ...process.env, NO_COLOR: '1', ...environment };
  return new Promise((resolve) => {
    execFile(program, args, { env }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code ?? -1), stdout, stderr });
    });
  });
}

export function expectLimits(report: Record<string, unknown>): void {
  expect(report).toMatchObject({
    adapter: null,
    evaluation_protocol_interface: 'options_only',
    diagnostic_only: true,
    eligible_for_promotion: false,
    full_experiment_status: 'not_reproduced_high_cost',
    official_files: expect.stringContaining('Not at hand'),
    measures: expect.stringContaining('Not predicting the success'),
    denominator: expect.stringContaining('Strict'),
    scorer_reproduction: expect.stringContaining('No claim'),
    prompt: expect.stringContaining('not the released one'),
    sandbox: expect.stringContaining('Mount the public directory alone'),
  });
  expect((report.does_not_show as string[]).length).toBeGreaterThan(0);
}

export function json(file: string): Record<string, unknown> {
  return JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
}

export function sha256(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}
