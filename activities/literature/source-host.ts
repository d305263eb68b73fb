import { createHash } from 'node:crypto';
import type { HostPolicy } from '../../db/host-slots';

/**
 * The policy of one host: its name is the limiter's key, with a mark of the credential, since limits are counted for
 * each. The mark is 8 hexadecimal digits of a hash and says nothing of the key itself.
 */
export function sourceHost(
  baseUrl: string,
  gapMs: number,
  options: { credential?: string | null; leaseMs?: number } = {},
): HostPolicy {
  const { host } = new URL(baseUrl);
  const mark = options.credential
    ? `#${createHash('sha256').update(options.credential).digest('hex').slice(0, 8)}`
    : '';
  return { host: `${host}${mark}`, gapMs, slackMs: SLACK_MS, leaseMs: options.leaseMs ?? null };
}

/** A turn that is reached later than this is given back. Gaps below leave room for it. */
const SLACK_MS = 100;
