import ipaddr from 'ipaddr.js';

/** A network in canonical CIDR notation, which an address is too. Null if it is neither. */
export function canonicalNetwork(text: string): string | null {
  const isV4 = ipaddr.IPv4.isValidFourPartDecimal(text.replace(/\/\d+$/, ''));
  if (!isV4 && !text.includes(':')) return null;
  const withBits = text.includes('/') ? text : `${text}/${isV4 ? 32 : 128}`;
  if (!/^[0-9a-f.:]+\/\d{1,3}$/i.test(withBits) || !ipaddr.isValidCIDR(withBits)) return null;
  const [address, bits] = ipaddr.parseCIDR(withBits);
  if (address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress()) return null;
  const network = isV4
    ? ipaddr.IPv4.networkAddressFromCIDR(withBits)
    : ipaddr.IPv6.networkAddressFromCIDR(withBits);
  return `${network.toString()}/${bits}`;
}

/**
 * Whether an address is in one of the networks. An empty list contains no address. `::1` is in
 * every network that contains 127.0.0.1: anyone who writes that one means this machine, and
 * `localhost` leads to either.
 */
export function isInNetworks(address: string, networks: readonly string[]): boolean {
  if (networks.length === 0 || !ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  if (String(parsed) === '::1' && isInNetworks('127.0.0.1', networks)) return true;
  return networks.some((cidr) => {
    const [network, bits] = ipaddr.parseCIDR(cidr);
    return parsed.kind() === network.kind() && parsed.match(network, bits);
  });
}

/**
 * The canonical form of an address: IPv4-mapped IPv6 becomes IPv4, IPv6 is shortened, and a zone is
 * dropped. Null if the text is not an address; spellings that only some parsers read (`0x7f.1`,
 * `127.1`) are not accepted.
 */
export function canonicalAddress(text: string): string | null {
  const bare = text.replace(/%.*$/, '');
  const isV4 = ipaddr.IPv4.isValidFourPartDecimal(bare);
  if (!isV4 && !(bare.includes(':') && ipaddr.IPv6.isValid(bare))) return null;
  return ipaddr.process(bare).toString();
}

/** What limits count as one caller: an IPv4 address, or the /64 that one IPv6 subscriber has. */
export function subscriberOf(address: string): string {
  const canonical = canonicalAddress(address);
  if (canonical === null) return address;
  if (!canonical.includes(':')) return canonical;
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${canonical}/64`).toString()}/64`;
}

/** The network that an address belongs to, as providers assign them: an IPv4 /24, or an IPv6 /48. */
export function networkOf(address: string): string {
  const canonical = canonicalAddress(address);
  if (canonical === null) return address;
  return canonical.includes(':')
    ? `${ipaddr.IPv6.networkAddressFromCIDR(`${canonical}/48`).toString()}/48`
    : `${ipaddr.IPv4.networkAddressFromCIDR(`${canonical}/24`).toString()}/24`;
}

/** Whether an address is a loopback address. */
export function isLoopbackAddress(address: string): boolean {
  const canonical = canonicalAddress(address);
  return canonical !== null && ipaddr.parse(canonical).range() === 'loopback';
}

/** Whether a host name, from a URL or a Host header without its port, means this machine. */
export function isLoopbackHost(hostname: string): boolean {
  return hostname === 'localhost' || isLoopbackAddress(hostname.replace(/^\[(.*)\]$/, '$1'));
}
