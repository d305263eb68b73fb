import { type AggregateRow, ruleAggregateRow } from './aggregate-row';
import type { Letter, SourceCase } from './public-case';

/** What a release is expected to hold. */
export interface ReleaseSize {
  nCases: number;
  nA: number;
  nB: number;
  nAggregateRows: number;
}

/** The sizes the owner's document reports of the release pinned there. */
export const RELEASE_SIZE: ReleaseSize = { nCases: 248, nA: 124, nB: 124, nAggregateRows: 60 };

export interface AuditCheck {
  name: string;
  expected: number;
  found: number;
  hasPassed: boolean;
}

export interface Audit {
  hasPassed: boolean;
  checks: AuditCheck[];
  nCases: number;
  /** Prompts an export would write: each case in both orders. */
  nPlannedPrompts: number;
  labels: Record<Letter, number>;
  nAggregateRows: number;
  /** Rows whose figures the file has at all, for the two columns a release may lack. */
  nRowsWithAccuracy: number;
  nRowsWithParsedAccuracy: number;
  /** Rows by how their case accuracy can have come about. */
  caseAccuracyReadings: { equalWeights: number; survivingOrders: number };
  /** Contradictions, as `line 17, model "x", condition "y": column: rule`. */
  problems: string[];
}

/** Counts and arithmetic over a release. Nothing is drawn and nothing is scored. */
export function auditRelease(
  cases: readonly SourceCase[],
  rows: readonly AggregateRow[],
  expected: ReleaseSize,
): Audit {
  const nLabelled = (letter: Letter) => cases.filter(({ label }) => label === letter).length;
  const rulings = rows.map((row) => ({ row, ruling: ruleAggregateRow(row, cases.length) }));
  const nReadAs = (reading: string) =>
    rulings.filter(({ ruling }) => ruling.caseAccuracyReading === reading).length;
  const problems = rulings.flatMap(({ row, ruling }) =>
    ruling.problems.map((problem) => `${rowName(row)}: ${problem}`),
  );
  const nAgreeing = rulings.filter(({ ruling }) => ruling.problems.length === 0).length;
  const checks = [
    check('cases', expected.nCases, cases.length),
    check('cases labelled A', expected.nA, nLabelled('A')),
    check('cases labelled B', expected.nB, nLabelled('B')),
    check('aggregate rows', expected.nAggregateRows, rows.length),
    check('aggregate rows whose arithmetic agrees', rows.length, nAgreeing),
  ];
  return {
    hasPassed: checks.every(({ hasPassed }) => hasPassed),
    checks,
    nCases: cases.length,
    nPlannedPrompts: cases.length * 2,
    labels: { A: nLabelled('A'), B: nLabelled('B') },
    nAggregateRows: rows.length,
    nRowsWithAccuracy: rows.filter(({ accuracy }) => accuracy !== null).length,
    nRowsWithParsedAccuracy: rows.filter(({ parsedAccuracy }) => parsedAccuracy !== null).length,
    caseAccuracyReadings: {
      equalWeights: nReadAs('equal_weights'),
      survivingOrders: nReadAs('surviving_orders'),
    },
    problems,
  };
}

function check(name: string, expected: number, found: number): AuditCheck {
  return { name, expected, found, hasPassed: expected === found };
}

function rowName({ line, model, condition, effort }: AggregateRow): string {
  const setting = effort === null ? '' : `, effort ${JSON.stringify(effort)}`;
  return `line ${line}, model ${JSON.stringify(model)}, condition ${JSON.stringify(condition)}${setting}`;
}
