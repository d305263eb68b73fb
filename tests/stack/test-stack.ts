import { readFileSync } from 'node:fs';
import type { BenchRole } from '../../db/cluster';

/** Set to `off` to run pure tests without starting anything; those that need the stack then fail by name. */
export const STACK_SWITCH = 'CO_SCIENTIST_TEST_STACK';
/** Names the file in which the global set-up tells the test files what it started. */
export const STACK_FILE = 'CO_SCIENTIST_TEST_STACK_FILE';

/** What the global set-up started for the whole run. */
export interface TestStack {
  postgres: {
    port: number;
    superuserPassword: string;
    passwords: Record<BenchRole, string>;
    /** Why there is no migrated template; null when there is. */
    templateProblem: string | null;
  };
  temporal: { address: string; executable: string } | { problem: string };
}

/** @throws when the set-up was switched off */
export function testStack(): TestStack {
  const file = process.env[STACK_FILE];
  if (!file) throw new Error(`this test needs Postgres or Temporal: run it without ${STACK_SWITCH}=off`);
  return JSON.parse(readFileSync(file, 'utf8')) as TestStack;
}
