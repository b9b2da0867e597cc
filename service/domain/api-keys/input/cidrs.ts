import ipaddr from 'ipaddr.js';
import { canonicalNetwork, isInNetworks } from '../../../network/networks.ts';
import { ServiceError } from '../../errors.ts';

/**
 * Reads networks as people write them (`203.0.113.0/24`, `2001:db8::/32`, a bare address for
 * itself alone) and returns them canonical, host bits cleared, each once.
 * @throws ServiceError VALIDATION_ERROR on `allowed_cidrs`, naming each text that is no network.
 */
export function parseCidrs(texts: readonly string[]): string[] {
  const networks = texts.map((text) => ({ text, network: canonicalNetwork(text.trim()) }));
  const wrong = networks.filter(({ network }) => network === null);
  if (wrong.length > 0) {
    throw new ServiceError('VALIDATION_ERROR', {
      details: {
        allowed_cidrs: wrong.map(
          ({ text }) => `"${text}" is not a network. Write it as 203.0.113.0/24 or 2001:db8::/32.`,
        ),
      },
    });
  }
  return [...new Set(networks.flatMap(({ network }) => network ?? []))];
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
