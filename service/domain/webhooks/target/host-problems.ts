export const portAdvice = 'Use port 443, 80, or one from 1024 to 65535.';
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
