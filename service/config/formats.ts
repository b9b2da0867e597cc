import { parse } from 'pg-connection-string';
import { z } from 'zod';
import { isWellFormedToken } from '../tokens/token.ts';
import { editDistance } from './edit-distance.ts';
import { joinReasons } from './join-reasons.ts';
import { canonicalAddress, canonicalNetwork, isLoopbackHost } from '../network/networks.ts';

// The formats of settings. Each parses the text of an environment variable. No message repeats that
// text, which may be a secret.

export const folder = format(
  (value) => (value.trim() === '' ? null : value),
  'must be the path of a folder. It is only spaces.',
);

export const hostName = format((value) => {
  const bare = value.replace(/^\[(.*)\]$/, '$1');
  const isV6 = bare.includes(':');
  const isWellFormed = isV6 ? canonicalAddress(bare) !== null : /^[A-Za-z0-9.-]+$/.test(bare);
  // The dashboard calls the API at this host.
  return isWellFormed && URL.canParse(`http://${isV6 ? `[${bare}]` : bare}`) ? bare : null;
}, 'must be an IP address or a host name.');

export function integer(lowest: number, highest: number): z.ZodType<number, string> {
  return format((value) => {
    const number = Number(value);
    return /^\d+$/.test(value) && number >= lowest && number <= highest ? number : null;
  }, `must be a whole number from ${lowest} to ${highest}.`);
}

export const flag = format(
  (value) => (value === 'true' || value === 'false' ? value === 'true' : null),
  'must be true or false.',
);

export function oneOf<const Word extends string>(words: readonly Word[]): z.ZodType<Word, string> {
  return format(
    (value) => words.find((word) => word === value) ?? null,
    `must be one of: ${words.join(', ')}.`,
  );
}

/** A list of some of these words, separated by commas. */
export function setOf<const Word extends string>(
  words: readonly Word[],
): z.ZodType<ReadonlySet<Word>, string> {
  return format(
    (value) => {
      const given = commaList(value);
      const known = new Set(words.filter((word) => given.includes(word)));
      const areKnown = given.every((name) => words.some((word) => word === name));
      return known.size > 0 && areKnown ? known : null;
    },
    `must be a comma-separated list of: ${words.join(', ')}.`,
  );
}

export const networks = format((value) => {
  const found = commaList(value).map(canonicalNetwork);
  const valid = found.filter((network) => network !== null);
  return valid.length === found.length ? valid : null;
}, 'must be a comma-separated list of networks such as 10.0.0.0/8,2001:db8::/32.');

const percentEncoding =
  'Write special characters of its user name and password in percent-encoding, such as %2F for /.';

export function urlOf(...protocols: string[]): z.ZodType<string, string> {
  return format(
    (value) => {
      const url = URL.parse(value);
      const isValid = url && protocols.includes(url.protocol) && hasReadableCredentials(url);
      return isValid ? value : null;
    },
    `must be a URL that begins with ${protocols.map((name) => `${name}//`).join(' or ')}. ${percentEncoding}`,
  );
}

/** The values of sslmode that `pg` knows. It treats some of them as verify-full. */
const sslModes = ['verify-full', 'verify-ca', 'require', 'prefer', 'allow', 'no-verify', 'disable'];

/** An address that `pg`, the PostgreSQL driver, connects to: a URL, or the path of a socket. */
export const postgresAddress = format(
  (value) =>
    /^(?:postgres(?:ql)?:\/\/|socket:\/|\/)/i.test(value) &&
    namesOneHost(value) &&
    isReadByDriver(value)
      ? value
      : null,
  'must be a URL that begins with postgres:// or postgresql:// and names one host, or the path of a socket as in socket:/var/run/postgresql?db=name. Write special characters of a user name and password in percent-encoding, such as %2F for /.',
).refine(
  hasReadableSslMode,
  `must name its encryption with sslmode= and one of: ${sslModes.join(', ')}.`,
);

/** An origin: only scheme, host and port. */
export const httpUrl = format((value) => {
  const url = URL.parse(value);
  const isOrigin = url && !url.username && !url.password && isBare(url);
  return isOrigin && isHttp(url) ? url : null;
}, 'must be an http or https URL of scheme, host and port only, such as https://keys.example.com.');

export const publicUrl = httpUrl.refine(
  ({ protocol, hostname }) => protocol === 'https:' || isLoopbackHost(hostname),
  'must begin with https://. Only localhost can be served over http://, because sessions travel in it.',
);

export const proxyUrl = format((value) => {
  const url = URL.parse(value);
  return url && isHttp(url) && isBare(url) && hasReadableCredentials(url) ? url : null;
}, `must be an http or https URL of scheme, host and port, with or without a user name and password. ${percentEncoding}`);

/** The base URL of a collector, to which the path of a signal is added. */
export const collectorUrl = format((value) => {
  const url = URL.parse(value);
  const isBase = url && !url.username && !url.password && url.search === '' && url.hash === '';
  return isBase && isHttp(url) ? url : null;
}, 'must be an http or https URL without a user name, password and query, such as http://localhost:4318.');

/** Request headers as OpenTelemetry writes them: pairs, with values in percent-encoding. */
export const headerPairs = format((value): Readonly<Record<string, string>> | null => {
  const pairs = commaList(value).map((pair) => /^([\w-]+)\s*=\s*([\x21-\x7e]+)$/.exec(pair));
  const read = pairs.map((found) => [found?.[1] ?? '', decodePercent(found?.[2] ?? '')] as const);
  const isRead = read.every(([, text]) => /^[\x20-\x7e]+$/.test(text));
  return read.length > 0 && isRead ? Object.fromEntries(read) : null;
}, 'must be a comma-separated list of headers such as api-key=secret,tenant=one, with special characters of values in percent-encoding.');

/** A share of a whole, from 0 to 1. */
export const share = format((value) => {
  const number = Number(value);
  return /^\d*\.?\d+$/.test(value) && number <= 1 ? number : null;
}, 'must be a number from 0 to 1, such as 0.1.');

export const serviceName = format(
  (value) => (/^[\w.-]{1,100}$/.test(value) ? value : null),
  'must be a name of up to 100 letters, digits, dots, hyphens and underscores.',
);

/** The sender of emails: an address, and the name that programs show, which may be empty. */
export type MailSender = { name: string; address: string };

export const mailSender = format((value): MailSender | null => {
  const [, name = '', named = value] = /^([^<>]*)<([^<>]*)>$/.exec(value) ?? [];
  const address = named.trim();
  if (!/^[^\s@<>,;"]+@[^\s@<>,;"]+$/.test(address)) return null;
  return { name: name.trim().replace(/^"(.*)"$/, '$1'), address };
}, 'must be an email address such as no-reply@example.com, or one with a name, such as Keys <no-reply@example.com>.');

export const secretKey = format((value) => {
  const bytes = Buffer.from(value, 'base64');
  return /^[A-Za-z0-9+/]{43}=$/.test(value) && bytes.length === 32 ? bytes : null;
}, 'must be 32 bytes in base64. Make one: openssl rand -base64 32');

export const token = format(
  (value) => (isWellFormedToken(value) ? value : null),
  'must be a token such as `npm run -s admin -- make-token` prints; its prefix, length or checksum is wrong.',
);

export const metricsToken = format(
  (value) => (/^[\x21-\x7e]{16,}$/.test(value) ? value : null),
  'must have at least 16 printable characters and no spaces.',
);

/** A value that people can also type into a form, with the same rules as in the form. */
export function asInForm(field: z.ZodType<string, string>): z.ZodType<string, string> {
  return z.string().transform((value, context) => {
    const { success, data, error } = field.safeParse(value);
    if (success) return data;
    context.addIssue({ code: 'custom', message: `is not valid. ${joinReasons(error)}` });
    return z.NEVER;
  });
}

/** Parses the text; null if it does not have the format. */
function format<Value>(
  read: (value: string) => Value | null,
  message: string,
): z.ZodType<Value, string> {
  return z.string().transform((value, context) => {
    const found = read(value);
    if (found !== null) return found;
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  });
}

/** Other drivers accept several hosts, separated by commas. */
function namesOneHost(address: string): boolean {
  const [, authority = ''] = /^postgres(?:ql)?:\/\/([^/?]*)/i.exec(address) ?? [];
  return !authority.slice(authority.lastIndexOf('@') + 1).includes(',');
}

function isReadByDriver(address: string): boolean {
  // Parameters may name files, which are read only when a connection is opened.
  const [withoutParameters = ''] = address.split('?');
  try {
    parse(withoutParameters);
    return true;
  } catch {
    return false;
  }
}

/** The driver ignores parameters it does not know, so the connection would not be encrypted. */
function hasReadableSslMode(address: string): boolean {
  const [, parameters = ''] = address.split('?');
  return [...new URLSearchParams(parameters)].every(([name, value]) => {
    if (name === 'sslmode') return sslModes.includes(value);
    return editDistance(name.toLowerCase(), 'sslmode') > 2;
  });
}

function hasReadableCredentials({ username, password }: URL): boolean {
  try {
    decodeURIComponent(username + password);
    return true;
  } catch {
    return false;
  }
}

function isHttp({ protocol }: URL): boolean {
  return protocol === 'http:' || protocol === 'https:';
}

function isBare({ pathname, search, hash }: URL): boolean {
  return pathname === '/' && search === '' && hash === '';
}

/** Empty if the text cannot be decoded. */
function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}

function commaList(value: string): string[] {
  return value
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
}
