const portAdvice = 'Use a port from 1 to 65535.';
const ipv4Advice = 'Write an IP address as four numbers from 0 to 255, as 203.0.113.5.';

/** What is wrong with a text that the URL parser refuses: a sentence that says what to do. */
export function explainUnreadable(text: string): string {
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
export function findPortProblem(port: number): string | null {
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
export function findHostProblem(text: string, host: string): string | null {
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
