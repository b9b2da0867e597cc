import { networkInterfaces } from 'node:os';
import ipaddr from 'ipaddr.js';
import type { Config } from '../../../config/load-config.ts';
import { canonicalAddress, isInNetworks, isLoopbackAddress } from '../../../network/networks.ts';

export type TargetRules = {
  /** Allows http URLs, for receivers inside a trusted network. */
  allowHttp: boolean;
  /** Networks that may be called although they are not public. */
  allowedCidrs: readonly string[];
  /** Where this service itself listens: never a target, because it would trust its own requests. */
  listener: { host: string; port: number };
};

const maxLength = 2048;

/** Cloud metadata services. They return credentials, so no setting allows them. */
const metadataAddresses = new Set([
  '169.254.169.254',
  '169.254.170.2',
  '169.254.170.23',
  '100.100.100.200',
  '168.63.129.16',
  '192.0.0.192',
  'fd00:ec2::254',
  'fd00:ec2::23',
  'fd20:ce::254',
]);
const forbiddenProblem = 'This address cannot receive webhooks.';
const metadataNames = new Set(['metadata.google.internal', 'metadata.goog']);

/** The rules from an installation's configuration. */
export function targetRulesOf(config: Config): TargetRules {
  return {
    allowHttp: config.webhookAllowHttp,
    allowedCidrs: config.webhookAllowedCidrs,
    listener: { host: config.host, port: config.port },
  };
}

/**
 * Checks a webhook's URL when it is saved; host names are not resolved here. The URL parser
 * converts every spelling of an IP address (decimal, octal, hexadecimal, shortened, IPv4 in IPv6)
 * into the one that is checked.
 *
 * @returns the URL to store, or a sentence that says what to do
 */
export function checkTarget(
  text: string,
  rules: TargetRules,
): { url: string; problem?: never } | { url?: never; problem: string } {
  const url = URL.parse(text);
  if (!url) return { problem: explainUnreadable(text) };
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && rules.allowHttp)) {
    return { problem: 'The URL must begin with https://' };
  }
  if (url.username || url.password) {
    return { problem: 'Leave user name and password out of the URL.' };
  }
  const portProblem = findPortProblem(portOf(url));
  if (portProblem !== null) return { problem: portProblem };
  if (url.hash) return { problem: 'Leave out the part after #; servers never see it.' };
  // Also removes a # that nothing follows.
  url.hash = '';
  if (url.href.length > maxLength) return { problem: explainLength(text, url) };
  const problem = findHostProblem(text, url.hostname);
  return problem === null ? (targetProblem(url, rules) ?? { url: url.href }) : { problem };
}

/**
 * `network`: it is not public, and the operator does not allow it. Whatever the operator allows,
 * `forbidden` are cloud metadata and tunnels, and `this-service` is this process itself.
 */
export type Obstacle = 'network' | 'forbidden' | 'this-service';

/**
 * Why deliveries may not be sent to this IP address, literal or resolved; null if they may. This is
 * the only rule: it applies when a webhook is saved, and again to every address before a connection
 * to it is opened.
 */
export function findObstacle(text: string, port: number, rules: TargetRules): Obstacle | null {
  if (!ipaddr.isValid(text)) return 'network';
  const address = withoutNat64(ipaddr.process(text));
  const meant = [address, ...embeddedAddresses(address)].map(String);
  if (isTunnel(address) || meant.some((each) => metadataAddresses.has(each))) return 'forbidden';
  if (!isPublic(address) && !isInNetworks(String(address), rules.allowedCidrs)) return 'network';
  return meant.some((each) => isOwnListener(each, port, rules.listener)) ? 'this-service' : null;
}

type Address = ipaddr.IPv4 | ipaddr.IPv6;

const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

function isPublic(address: Address): boolean {
  if (address.range() !== 'unicast') return false;
  return address instanceof ipaddr.IPv4 || address.match(globalUnicast);
}

const nat64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');

/**
 * The IPv4 address that an address with the well-known prefix of NAT64 leads to (RFC 6052). Networks
 * without IPv4 get such an address for the name of every server that has only IPv4.
 */
function withoutNat64(address: Address): Address {
  if (address instanceof ipaddr.IPv4 || !address.match(nat64)) return address;
  return ipv4At(address.toByteArray(), [12, 13, 14, 15]);
}

/** 6to4 and Teredo: they lead to an IPv4 address through the relay of someone else. */
function isTunnel(address: Address): boolean {
  return address.range() === '6to4' || address.range() === 'teredo';
}

/** The IPv4 addresses that an IPv6 address of a translating network can stand for. */
function embeddedAddresses(address: Address): ipaddr.IPv4[] {
  if (address instanceof ipaddr.IPv4) return [];
  const bytes = address.toByteArray();
  return translating
    .filter(({ network }) => address.match(network))
    .flatMap(({ places }) => places.map((place) => ipv4At(bytes, place)));
}

function ipv4At(bytes: readonly number[], place: readonly number[]): ipaddr.IPv4 {
  return new ipaddr.IPv4(place.map((index) => bytes[index] ?? 0));
}

/**
 * NAT64 with a prefix of one's own (RFC 8215), which may have 48, 56, 64 or 96 bits; translation (RFC
 * 6145), and the old IPv4-compatible form. `places`: which bytes are the IPv4 address.
 */
const translating = [
  {
    network: ipaddr.IPv6.parseCIDR('64:ff9b:1::/48'),
    places: [
      [6, 7, 9, 10],
      [7, 9, 10, 11],
      [9, 10, 11, 12],
      [12, 13, 14, 15],
    ],
  },
  { network: ipaddr.IPv6.parseCIDR('::ffff:0:0:0/96'), places: [[12, 13, 14, 15]] },
  { network: ipaddr.IPv6.parseCIDR('::/96'), places: [[12, 13, 14, 15]] },
];

/** Whether a request to this address would reach the process itself. */
function isOwnListener(address: string, port: number, listener: TargetRules['listener']): boolean {
  if (port !== listener.port) return false;
  if (isLoopbackAddress(address) || ipaddr.parse(address).range() === 'unspecified') return true;
  const own = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  return [listener.host, ...own.map((each) => each.address)].some(
    (each) => canonicalAddress(each) === address,
  );
}

function explainLength(text: string, { href }: URL): string {
  const advice = `Use at most ${maxLength} characters.`;
  return text.length > maxLength
    ? advice
    : `${advice} The URL has ${href.length}: a character such as ü is sent as %C3%BC.`;
}

function targetProblem(url: URL, rules: TargetRules): { problem: string } | null {
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  const port = portOf(url);
  if (metadataNames.has(host)) return { problem: forbiddenProblem };
  const isLocal = host === 'localhost' || host.endsWith('.localhost');
  if (isLocal || ipaddr.isValid(host)) {
    const problems: Record<Obstacle, string> = {
      network: isLocal
        ? `${host} is this service's own machine. Use a public name.`
        : `${host} is not a public address, so webhooks cannot use it. Use a public one.`,
      forbidden: forbiddenProblem,
      'this-service': `${url.host} is this service itself. Use the address of your server.`,
    };
    const obstacle = findObstacle(isLocal ? '127.0.0.1' : host, port, rules);
    return obstacle && { problem: problems[obstacle] };
  }
  if (!host.includes('.') && rules.allowedCidrs.length === 0) {
    return { problem: `"${host}" is not a public name. Write it in full, as hooks.example.com.` };
  }
  return null;
}

/** The port of a URL: the given one, or the default of its scheme. */
export function portOf({ port, protocol }: URL): number {
  if (port !== '') return Number(port);
  return protocol === 'http:' ? 80 : 443;
}

const portAdvice = 'Use a port from 1 to 65535.';
const ipv4Advice = 'Write an IP address as four numbers from 0 to 255, as 203.0.113.5.';

/** What is wrong with a text that the URL parser refuses: a sentence that says what to do. */
function explainUnreadable(text: string): string {
  const { host, port } = splitHost(text);
  if (host === '') return 'Write a full URL, as https://example.com/webhooks.';
  if (/[[\]]|:.*:/.test(host)) {
    return 'Write an IPv6 address in brackets, as https://[2001:db8::1]/webhooks.';
  }
  if (port !== null && URL.canParse(`https://${host}`)) return portAdvice;
  return isNumeric(host.split('.').at(-1) ?? '') ? ipv4Advice : hostAdvice;
}

/**
 * Ports of services such as SSH and email, which could take a delivery for commands of their own.
 * Browsers send no requests to them either.
 *
 * @see https://fetch.spec.whatwg.org/#port-blocking
 */
const portsOfOtherServices = new Set([
  1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102,
  103, 104, 109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465,
  512, 513, 514, 515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993,
  995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668,
  6669, 6679, 6697, 10080,
]);

/** What is wrong with a port; null if nothing is. */
function findPortProblem(port: number): string | null {
  if (port === 0) return portAdvice;
  if (!portsOfOtherServices.has(port)) return null;
  return `Port ${port} belongs to a service other than HTTP. Use another port, such as 443.`;
}

const hostAdvice =
  'The host name is not valid. Write it as hooks.example.com: letters, digits and hyphens, with a dot between its parts.';

/**
 * What is wrong with the host of a URL, although the URL parser accepts it; null if nothing is.
 *
 * @param text the URL as it was typed
 * @param host what the parser made of its host
 */
function findHostProblem(text: string, host: string): string | null {
  // The parser fills up an IPv4 address of two or three numbers: 1.2.3 becomes 1.2.0.3.
  if (/^\d+(?:\.\d+){1,2}\.?$/.test(splitHost(text).host)) return ipv4Advice;
  if (host.startsWith('[')) return null;
  const name = host.replace(/\.$/, '');
  // RFC 1035; names with underscores exist too.
  const isName =
    name.length <= 253 && name.split('.').every((label) => /^[\w-]{1,63}$/.test(label));
  return isName ? null : hostAdvice;
}

/** The host and port as they were typed. An empty host if the text does not begin like a URL. */
function splitHost(text: string): { host: string; port: string | null } {
  const [, authority = ''] = /^[a-z][a-z\d+.-]*:[/\\]*([^/\\?#]*)/i.exec(text.trim()) ?? [];
  const afterUser = authority.slice(authority.lastIndexOf('@') + 1);
  const [, host = afterUser, port = null] = /^(\[.*\]|[^:]*):([^:\]]*)$/.exec(afterUser) ?? [];
  return { host, port };
}

/** The URL parser takes a host whose last part is a number for an IPv4 address. */
function isNumeric(label: string): boolean {
  return /^(?:\d+|0x[\da-f]*)$/i.test(label);
}
