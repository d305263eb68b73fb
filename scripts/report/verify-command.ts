import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { BundleProblem } from '../../activities/reporting/bundle/part-reader';
import { type Verification, verifyBundles } from '../../activities/reporting/verify/verify-bundle';
import type { Difference } from '../../core/report/difference';
import { countText } from '../../core/report/figure-text';
import { printJson } from '../bench/print-result';
import { printable } from '../bench/printable';
import { widthOf } from '../bench/terminal';
import { cutToWidth } from '../bench/text-width';
import { hangingLines } from '../bench/wrapped-text';
import { CliError, UsageError } from '../cli-error';

/** @throws CliError when a file or a figure is not what it should be; UsageError when there is nothing to check */
export function verifyCommand(dir: string, { isJson }: { isJson: boolean }): void {
  const verification = verifyFolder(dir);
  if (isJson) printJson(verification);
  else
    process.stdout.write(
      verificationLines(verification)
        .flatMap((line) => hangingLines(line, widthOf(process.stdout)))
        .map((line) => `${line}\n`)
        .join(''),
    );
  const wrong = countWrong(verification);
  if (wrong === 0) return;
  throw new CliError({
    reason: `${dir}: ${countText(wrong, 'thing does', 'things do')} not hold`,
    remedy: 'export the bench again from its database, if it is still there',
  });
}

/** @throws UsageError when the folder holds no bench */
export function verifyFolder(dir: string): Verification {
  const root = resolve(dir);
  requireFolder(dir);
  const verification = verifyBundles(root);
  if (verification.benches.length + verification.problems.length === 0) {
    throw new UsageError({
      reason: `${dir} holds no bench: no bench/<id>.json in it or in a folder of it`,
      remedy: 'give the folder that export wrote to',
    });
  }
  return verification;
}

/** @throws UsageError */
export function requireFolder(dir: string): void {
  if (statSync(resolve(dir), { throwIfNoEntry: false })?.isDirectory()) return;
  throw new UsageError({ reason: `${dir} is no folder`, remedy: 'give the folder that export wrote to' });
}

export function countWrong({ benches, problems }: Verification): number {
  return problems.length + benches.reduce((sum, { differences }) => sum + differences.length, 0);
}

function verificationLines({ benches, problems }: Verification): string[] {
  return [
    ...problems.map(problemText),
    ...benches.flatMap(({ benchId, matches, calls, differences, unchecked }) => [
      ...differences.map((difference) => `${benchId}: ${differenceText(difference)}`),
      ...unchecked.map((part) => `${benchId}: not checked: ${printable(part)}`),
      `${benchId}: ${countText(matches, 'match', 'matches')}, ${countText(calls, 'call')}; ${figuresText(differences.length, unchecked.length)}`,
    ]),
  ];
}

/** A problem of a file, on one line, harmless for a terminal. */
export function problemText({ file, message }: BundleProblem): string {
  return `${printable(file)}: ${printable(message)}`;
}

/** Where a part could not be checked, nothing is said of every figure. */
function figuresText(differing: number, unchecked: number): string {
  if (differing > 0) return countText(differing, 'figure differs', 'figures differ');
  return unchecked > 0 ? 'no figure that could be checked differs' : 'every figure follows from them';
}

const MOST = 120;

function differenceText({ subject, field, stored, recomputed }: Difference): string {
  return `${printable(subject)} ${printable(field)}: stored ${valueText(stored)}, recomputed ${valueText(recomputed)}`;
}

function valueText(value: unknown): string {
  return cutToWidth(printable(JSON.stringify(value) ?? 'nothing'), MOST);
}
