import { lookup as systemLookup } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { buildConnector } from 'undici';

/** All addresses of a host name. */
export type ResolveHost = (hostname: string) => Promise<{ address: string; family: number }[]>;

/** An address that programs on the public internet are not to be sent to. Names no address: a model reads it. */
export class RefusedAddress extends Error {
  constructor() {
    super('not a public address');
    this.name = 'RefusedAddress';
  }
}

/**
 * Whether an address is an ordinary one of the public internet (`unicast` of ipaddr.js 2.5): not loopback, private,
 * link-local, CGNAT, unique-local, multicast, documentation, NAT64, 6to4, Teredo or otherwise reserved; forms of IPv4
 * inside IPv6 are judged by what they hold.
 * @param address IPv4 or IPv6, IPv6 with or without brackets; anything else is not public
 */
export function isPublicAddress(address: string): boolean {
  const bare = address.replace(/^\[|\]$/g, '');
  if (!ipaddr.isValid(bare)) return false;
  const parsed = ipaddr.process(bare);
  if (parsed.kind() === 'ipv6' && !isGlobalUnicast(bare)) return false;
  return parsed.range() === 'unicast' && !CLOUD_SERVICE_ADDRESSES.includes(parsed.toString());
}

/**
 * IPv6 that is allotted at all (RFC 4291: 2000::/3), without zone. ipaddr.js calls the rest `unicast` too, with it
 * `::7f00:1`, the hexadecimal spelling of the obsolete `::127.0.0.1`, which is how `URL` writes that.
 */
function isGlobalUnicast(address: string): boolean {
  return !address.includes('%') && ipaddr.parse(address).match(ipaddr.parseCIDR('2000::/3'));
}

/** Public by number, yet answered inside a cloud: Azure's wire server (learn.microsoft.com, "168.63.129.16"). */
const CLOUD_SERVICE_ADDRESSES = ['168.63.129.16'];

/**
 * An undici connector that only dials public addresses. The host is resolved once, every address it has must be
 * public, and one of those very addresses is dialled: there is no second resolution that could say otherwise.
 */
export function guardedConnector(
  resolve: ResolveHost = resolveBySystem,
  timeoutMs: number = CONNECT_TIMEOUT_MS,
): buildConnector.connector {
  const connect = buildConnector({ timeout: timeoutMs, lookup: guardedLookup(resolve) });
  return (options, callback) => {
    const host = options.hostname.replace(/^\[|\]$/g, '');
    // `lookup` is not called for literals, so these are judged here.
    if (isIP(host) !== 0 && !isPublicAddress(host)) {
      callback(new RefusedAddress(), null);
      return;
    }
    connect(options, callback);
  };
}

export const CONNECT_TIMEOUT_MS = 6_000;

export const resolveBySystem: ResolveHost = (hostname) => systemLookup(hostname, { all: true });

export function guardedLookup(resolve: ResolveHost): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname).then(
      (addresses) => {
        const first = addresses[0];
        if (!first) callback(hostNotFound(hostname), []);
        else if (!addresses.every(({ address }) => isPublicAddress(address)))
          callback(new RefusedAddress(), []);
        else if (options.all) callback(null, addresses);
        else callback(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, []),
    );
  };
}

/** An unguarded lookup by the same resolver, for origins that a test allows. */
export function plainLookup(resolve: ResolveHost): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname).then(
      (addresses) => {
        const first = addresses[0];
        if (!first) callback(hostNotFound(hostname), []);
        else if (options.all) callback(null, addresses);
        else callback(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, []),
    );
  };
}

function hostNotFound(hostname: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`no address for ${hostname}`), { code: 'ENOTFOUND' });
}
