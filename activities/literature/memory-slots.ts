import { createHostSlots, type HostSlots, type SlotBook } from '../../db/host-slots';

/** Turns for one process without a database: other processes do not see them. */
export function createMemorySlots(): HostSlots {
  return createHostSlots(memoryBook());
}

interface Row {
  nextAt: number;
  leaseOwner: string | null;
  leaseUntil: number;
}

function memoryBook(): SlotBook {
  const rows = new Map<string, Row>();
  const rowOf = (host: string): Row => {
    const row = rows.get(host) ?? { nextAt: 0, leaseOwner: null, leaseUntil: 0 };
    rows.set(host, row);
    return row;
  };
  return {
    async book({ host, gapMs, leaseMs }, owner, maxWaitMs) {
      const row = rowOf(host);
      const now = performance.now();
      const turnAt = Math.max(row.nextAt, now);
      if (turnAt - now > maxWaitMs) return { kind: 'busy' };
      if (leaseMs !== null && row.leaseOwner !== null && row.leaseUntil >= now)
        return { kind: 'leased', forMs: row.leaseUntil - now };
      row.nextAt = turnAt + gapMs;
      if (leaseMs !== null) {
        row.leaseOwner = owner;
        row.leaseUntil = turnAt + leaseMs;
      }
      return { kind: 'turn', inMs: turnAt - now };
    },
    async release(host, owner) {
      const row = rowOf(host);
      if (row.leaseOwner === owner) row.leaseOwner = null;
    },
    async defer(host, ms) {
      const row = rowOf(host);
      row.nextAt = Math.max(row.nextAt, performance.now() + ms);
    },
  };
}
