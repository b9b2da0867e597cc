import { canonicalAddress } from '../../../network/networks.ts';
import type { TokenUse } from '../store/token-uses.ts';

type CallWithToken = {
  tokenId: number;
  digest: Buffer;
  at: Date;
  ip: string;
  userAgent: string | null;
};

/** The calls of a token that are not yet written: the latest, and the addresses. */
export type PendingUse = CallWithToken & {
  /** The latest call from each address, for at most `maxAddresses` addresses. */
  addresses: Map<string, Date>;
};

/**
 * How many addresses are kept for a token, in memory and in the database. Without this limit, a
 * client with very many (IPv6) addresses could fill both.
 */
export const maxAddresses = 500;

export function useOf(call: CallWithToken): PendingUse {
  return { ...call, addresses: new Map([[call.ip, call.at]]) };
}

/** Adds a later call of the same token, in place: every call of the API does this. */
export function addCall(
  pending: PendingUse,
  { at, ip, userAgent }: Omit<CallWithToken, 'tokenId' | 'digest'>,
): void {
  pending.at = at;
  pending.ip = ip;
  pending.userAgent = userAgent;
  const { addresses } = pending;
  addresses.set(ip, at);
  if (addresses.size <= maxAddresses) return;
  const [earliest] = addresses.keys();
  if (earliest !== undefined) addresses.delete(earliest);
}

/** Merges two records of uses. If the token was replaced in between, only later ones count. */
export function mergeUses(earlier: PendingUse, later: PendingUse): PendingUse {
  if (!earlier.digest.equals(later.digest)) return later;
  const addresses = [...new Map([...earlier.addresses, ...later.addresses])];
  return { ...later, addresses: new Map(addresses.slice(-maxAddresses)) };
}

/** Groups of uses, one for each statement, of at most `maxRows` rows or a single token. */
export function inGroups(uses: readonly PendingUse[], maxRows: number): PendingUse[][] {
  const groups: PendingUse[][] = [];
  let group: PendingUse[] = [];
  let rows = 0;
  for (const use of uses) {
    const more = 1 + use.addresses.size;
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
export function toStoredUse({ addresses, ...latest }: PendingUse): TokenUse {
  const seen = new Map<string, Date>();
  for (const [ip, at] of addresses) {
    const address = canonicalAddress(ip);
    if (address !== null) seen.set(address, at);
  }
  return {
    ...latest,
    addresses: [...seen].map(([address, at]) => ({ address, at })),
  };
}
