import { hourMs } from '#lib/durations.ts';
import { canonicalAddress } from '../../../networks.ts';
import type { TokenUse } from '../store/token-uses.ts';

/** One call made with a token. */
export type Call = {
  tokenId: number;
  digest: Buffer;
  at: Date;
  ip: string;
  userAgent: string | null;
};

/** The calls of a token that are not written yet: the latest, how many in which hour, and from where. */
export type PendingUse = Call & {
  /** By the start of the hour, in milliseconds. */
  calls: Map<number, number>;
  /** The latest call from each address, of `maxAddresses`. */
  addresses: Map<string, Date>;
};

/**
 * The addresses kept of a token, in memory and in the database. A client with many, as IPv6 gives it,
 * fills neither.
 */
export const maxAddresses = 500;

export function startOfHour(at: Date): Date {
  return new Date(Math.floor(at.getTime() / hourMs) * hourMs);
}

export function useOf(call: Call): PendingUse {
  return {
    ...call,
    calls: new Map([[startOfHour(call.at).getTime(), 1]]),
    addresses: new Map([[call.ip, call.at]]),
  };
}

/** Adds a later call of the same token. In place, since it is done for each call of the API. */
export function addCall(
  pending: PendingUse,
  { at, ip, userAgent }: Omit<Call, 'tokenId' | 'digest'>,
): void {
  const hour = Math.floor(at.getTime() / hourMs) * hourMs;
  pending.at = at;
  pending.ip = ip;
  pending.userAgent = userAgent;
  pending.calls.set(hour, (pending.calls.get(hour) ?? 0) + 1);
  const { addresses } = pending;
  addresses.set(ip, at);
  if (addresses.size <= maxAddresses) return;
  const [earliest] = addresses.keys();
  if (earliest !== undefined) addresses.delete(earliest);
}

/** Both together. Those of a token that was replaced in its row are no uses of the one in its place. */
export function joinUses(earlier: PendingUse, later: PendingUse): PendingUse {
  if (!earlier.digest.equals(later.digest)) return later;
  const calls = new Map(earlier.calls);
  for (const [hour, count] of later.calls) calls.set(hour, (calls.get(hour) ?? 0) + count);
  const addresses = [...new Map([...earlier.addresses, ...later.addresses])];
  return { ...later, calls, addresses: new Map(addresses.slice(-maxAddresses)) };
}

/** In groups that one statement writes, each of so many rows at most or of one token. */
export function inGroups(uses: readonly PendingUse[], maxRows: number): PendingUse[][] {
  const groups: PendingUse[][] = [];
  let group: PendingUse[] = [];
  let rows = 0;
  for (const use of uses) {
    const more = use.calls.size + use.addresses.size;
    if (group.length === 0 || rows + more > maxRows) {
      group = [];
      groups.push(group);
      rows = 0;
    }
    group.push(use);
    rows += more;
  }
  return groups;
}

/** As it is written. What is no address is left out. */
export function writtenUse({ calls, addresses, ...latest }: PendingUse): TokenUse {
  const seen = new Map<string, Date>();
  for (const [ip, at] of addresses) {
    const address = canonicalAddress(ip);
    if (address !== null) seen.set(address, at);
  }
  return {
    ...latest,
    calls: [...calls].map(([hour, count]) => ({ hour: new Date(hour), count })),
    addresses: [...seen].map(([address, at]) => ({ address, at })),
  };
}
