import ipaddr from 'ipaddr.js';
import { countOf } from '#lib/count.ts';

export type ParsedNetwork =
  | { kind: 'empty' }
  /** `size` is text: "256 addresses". */
  | { kind: 'network'; size: string }
  | { kind: 'invalid'; problem: string };

/** Parses what a person typed as a network. The service validates it again. */
export function parseNetwork(text: string): ParsedNetwork {
  const written = text.trim();
  if (written === '') return { kind: 'empty' };
  const [address = '', bits, ...rest] = written.split('/');
  const isV4 = /^[\d.]+$/.test(address);
  if (isV4 && !ipaddr.IPv4.isValidFourPartDecimal(address)) return invalid(ipv4Problem(address));
  if (!isV4 && !(address.includes(':') && ipaddr.IPv6.isValid(address))) {
    return invalid('Not a network. Write it as 203.0.113.0/24 or 2001:db8::/32.');
  }
  const width = isV4 ? 32 : 128;
  if (bits === undefined) return { kind: 'network', size: '1 address' };
  if (rest.length > 0 || !/^\d{1,3}$/.test(bits) || Number(bits) > width) {
    return invalid(`After the slash, give a number from 0 to ${width}.`);
  }
  return { kind: 'network', size: sizeOf(width - Number(bits)) };
}

/** Whether an address is in one of the networks. Invalid networks are ignored. */
export function isInNetworks(address: string, networks: readonly string[]): boolean {
  if (!ipaddr.isValid(address)) return false;
  const own = ipaddr.process(address);
  return networks
    .filter((network) => parseNetwork(network).kind === 'network')
    .some((network) => {
      const [base, bits] = ipaddr.parseCIDR(toCidr(network));
      return own.kind() === base.kind() && own.match(base, bits);
    });
}

/** A network that a person typed, with the bits that a single address leaves out. */
export function toCidr(network: string): string {
  const written = network.trim();
  if (written.includes('/')) return written;
  return `${written}/${written.includes(':') ? 128 : 32}`;
}

function invalid(problem: string): ParsedNetwork {
  return { kind: 'invalid', problem };
}

function ipv4Problem(address: string): string {
  const parts = address.split('.');
  if (parts.length !== 4 || parts.includes('')) return 'Not an address: four numbers are needed.';
  if (parts.some((part) => Number(part) > 255)) return 'Not an address: no part can be above 255.';
  return 'Not an address: a number may not begin with 0.';
}

function sizeOf(freeBits: number): string {
  if (freeBits > 32) return `2^${freeBits} addresses`;
  return countOf(2 ** freeBits, 'address', 'addresses');
}
