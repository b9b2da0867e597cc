import { hourMs } from '#lib/durations.ts';
import { canonicalAddress } from '../../../network/networks.ts';
import type { TokenUse } from '../store/token-uses.ts';

/** One call made with a token. */
type CallWithToken = {
  tokenId: number;
  digest: Buffer;
  at: Date;
  ip: string;
  userAgent: string | null;
};

/**
 * The calls of a token that are not yet written: the latest, the count for each hour, and the
 * addresses.
 */
export type PendingUse = CallWithToken & {
  /** By the start of the hour, in milliseconds. */
  calls: Map<number, number>;
  /** The latest call from each address, for at most `maxAddresses` addresses. */
  addresses: Map<string, Date>;
};

/**
 * How many addresses are kept for a token, in memory and in the database. Without this limit, a
 * client with very many (IPv6) addresses could fill both.
 */
export const maxAddresses = 500;

export function startOfHour(at: Date): Date {
  return new Date(Math.floor(at.getTime() / hourMs) * hourMs);
}

export function useOf(call: CallWithToken): PendingUse {
  return {
    ...call,
    calls: new Map([[startOfHour(call.at).getTime(), 1]]),
    addresses: new Map([[call.ip, call.at]]),
  };
}

/**
 * Adds a later call of the same token. It changes the object in place, because every call of the
 * API does this.
 */
export function addCall(
  pending: PendingUse,
  { at, ip, userAgent }: Omit<CallWithToken, 'tokenId' | 'digest'>,
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

/**
 * Merges two records of uses. If the token was replaced in its row between them, only the later
 * ones count.
 */
export function mergeUses(earlier: PendingUse, later: PendingUse): PendingUse {
  if (!earlier.digest.equals(later.digest)) return later;
  const calls = new Map(earlier.calls);
  for (const [hour, count] of later.calls) calls.set(hour, (calls.get(hour) ?? 0) + count);
  const addresses = [...new Map([...earlier.addresses, ...later.addresses])];
  return { ...later, calls, addresses: new Map(addresses.slice(-maxAddresses)) };
}

/**
 * Splits uses into groups, one for each statement. A group has at most `maxRows` rows, unless it is
 * a single token.
 */
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

/** The use in the form in which it is written. Texts that are not addresses are left out. */
export function toStoredUse({ calls, addresses, ...latest }: PendingUse): TokenUse {
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
