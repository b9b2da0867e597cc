import ipaddr from 'ipaddr.js';
import { canonicalNetwork, isInNetworks } from '../../../network/networks.ts';

/**
 * Networks as people write them (`203.0.113.0/24`, `2001:db8::/32`, a bare address for itself
 * alone), canonical, host bits cleared, each once. What is not a network is left out.
 */
export function parseCidrs(texts: readonly string[]): string[] {
  return [...new Set(texts.flatMap((text) => canonicalNetwork(text.trim()) ?? []))];
}

/** A message for each text that is not a network. */
export function findCidrProblems(texts: readonly string[]): string[] {
  return texts
    .filter((text) => canonicalNetwork(text.trim()) === null)
    .map((text) => `"${text}" is not a network. Write it as 203.0.113.0/24 or 2001:db8::/32.`);
}

/** Whether an address lies in one of the networks; an empty list means any address. */
export function isAddressAllowed(address: string, cidrs: readonly string[]): boolean {
  return cidrs.length === 0 || isInNetworks(address, cidrs);
}

/** Whether every address of `inner` lies in `outer`; an empty list means any address. */
export function areCidrsWithin(inner: readonly string[], outer: readonly string[]): boolean {
  if (outer.length === 0) return true;
  if (inner.length === 0) return false;
  return inner.every((cidr) => {
    const [network, bits] = ipaddr.parseCIDR(cidr);
    return outer.some((wider) => {
      const [widerNetwork, widerBits] = ipaddr.parseCIDR(wider);
      return (
        network.kind() === widerNetwork.kind() &&
        widerBits <= bits &&
        network.match(widerNetwork, widerBits)
      );
    });
  });
}
