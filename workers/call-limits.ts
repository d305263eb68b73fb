import { type CallLimits, DEFAULT_CALL_LIMITS } from '../activities/activity-deps';

/** A variable that limits calls holds something else than a number in its range. */
export class InvalidCallLimit extends Error {
  constructor(name: string, least: number, most: number) {
    super(`${name}: not a number from ${least} to ${most}`);
    this.name = 'InvalidCallLimit';
  }
}

/**
 * The limits of calls, as the environment has them.
 *
 * `CO_SCIENTIST_LEASE_SECONDS` (1 to 600, default 9): how long a worker may be silent before its calls count as lost.
 * Shorter, a killed worker costs less time; too short, one that merely stutters pays for an answer twice.
 * `CO_SCIENTIST_MAX_ATTEMPTS` (1 to 100, default 4): how often one request may be sent, throttled ones apart.
 * @throws InvalidCallLimit
 */
export function readCallLimits(env: NodeJS.ProcessEnv): CallLimits {
  const leaseSeconds = numberOf(env, 'CO_SCIENTIST_LEASE_SECONDS', 1, 600);
  const maxAttempts = numberOf(env, 'CO_SCIENTIST_MAX_ATTEMPTS', 1, 100);
  return {
    ...DEFAULT_CALL_LIMITS,
    ...(leaseSeconds === null ? {} : { leaseMs: Math.round(leaseSeconds * 1_000) }),
    ...(maxAttempts === null ? {} : { maxAttempts: Math.floor(maxAttempts) }),
  };
}

function numberOf(env: NodeJS.ProcessEnv, name: string, least: number, most: number): number | null {
  const text = env[name]?.trim();
  if (!text) return null;
  const value = Number(text);
  if (!(value >= least && value <= most)) throw new InvalidCallLimit(name, least, most);
  return value;
}
