import { LRUCache } from 'lru-cache';
import { canonicalAddress, isInNetworks } from '../../../network/networks.ts';

/** The only header with the client's address. The service sets it and removes copies. */
export const clientAddressHeader = 'x-client-address';

/**
 * The client's address: that of the socket's peer or, behind trusted proxies, the right-most entry
 * of `X-Forwarded-For` that is not a trusted proxy. Anyone may have written the entries to its
 * left.
 */
export function clientAddress(request: {
  peer: string | undefined;
  forwardedFor: string | undefined;
  trustedProxies: readonly string[];
}): string {
  const { trustedProxies } = request;
  let address = canonicalPeer(request.peer ?? '');
  if (trustedProxies.length === 0) return address;
  const entries = (request.forwardedFor ?? '').split(',');
  while (isInNetworks(address, trustedProxies)) {
    const entry = entries.pop();
    const next = entry === undefined ? null : canonicalAddress(withoutPort(entry.trim()));
    // There is no further readable entry, so the last proxy is all that is certain.
    if (next === null) return address;
    address = next;
  }
  return address;
}

/** Some proxies write `203.0.113.7:41234` and `[2001:db8::7]:41234`. */
function withoutPort(entry: string): string {
  const bracketed = /^\[([^\]]*)\](?::\d+)?$/.exec(entry);
  if (bracketed) return bracketed[1] ?? '';
  return entry.replace(/^([\d.]+):\d+$/, '$1');
}

/** A connection carries many requests, and all requests of a proxy come from one address. */
const knownPeers = new LRUCache<string, string>({ max: 1000 });

function canonicalPeer(peer: string): string {
  const known = knownPeers.get(peer);
  if (known !== undefined) return known;
  const address = canonicalAddress(peer) ?? '0.0.0.0';
  knownPeers.set(peer, address);
  return address;
}
