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
