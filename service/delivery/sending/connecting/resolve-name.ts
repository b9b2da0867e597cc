import { readFile, stat } from 'node:fs/promises';
import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { errorCode } from '../../../error-code.ts';

export type Address = { address: string; family: number };

/**
 * Resolves to every address of a name. Rejects with a code: ENOTFOUND if the name has none,
 * ETIMEOUT if the name servers do not respond in time, EAI_AGAIN if they fail.
 */
export type Resolve = (hostname: string) => Promise<readonly Address[]>;

export type ResolveOptions = {
  /** Of the whole look-up: lower than that of connecting, so that the failure names it. */
  timeoutMs: number;
  /** How long to wait for the other address family once one has arrived. */
  otherFamilyMs: number;
  /** `address:port` of the name servers; null: those of the system. */
  servers: readonly string[] | null;
  hostsFile: string;
  resolvFile: string;
};

const defaultOptions: ResolveOptions = {
  timeoutMs: 4000,
  otherFamilyMs: 300,
  servers: null,
  hostsFile: '/etc/hosts',
  resolvFile: '/etc/resolv.conf',
};

/** The wait before a query is repeated for the first time; each further one is doubled. */
const firstTryMs = 1000;
const tries = 3;

const loopback: readonly Address[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

/**
 * Looks names up in the hosts file and at the name servers, as the system's resolver does, but with
 * a time-out and on its own sockets. The system's resolver blocks a thread for as long as a name
 * server is silent, and has only a few threads: a few silent names would delay all others.
 */
export function createResolve(chosen: Partial<ResolveOptions> = {}): Resolve {
  const options = { ...defaultOptions, ...chosen };
  const hosts = new ParsedFile(options.hostsFile, parseHosts);
  const search = new ParsedFile(options.resolvFile, parseSearch);

  return async (hostname) => {
    const isComplete = hostname.endsWith('.');
    const name = hostname.toLowerCase().replace(/\.$/, '');
    const written = (await hosts.read()).get(name);
    if (written) return written;
    // RFC 6761: these names are never sent to a name server.
    if (name === 'localhost' || name.endsWith('.localhost')) return loopback;
    const candidates = isComplete ? [name] : candidatesFor(name, await search.read());
    return await askNameServers(candidates, { hostname, options });
  };
}

/** Runs one look-up at a time for each name; further callers get the same result. */
export function shareLookUps(resolve: Resolve): Resolve {
  const running = new Map<string, ReturnType<Resolve>>();
  return async (hostname) => {
    const begun = running.get(hostname);
    if (begun) return await begun;
    const lookUp = resolve(hostname);
    running.set(hostname, lookUp);
    try {
      return await lookUp;
    } finally {
      running.delete(hostname);
    }
  };
}

type FailureCode = 'ENOTFOUND' | 'ETIMEOUT' | 'EAI_AGAIN';

async function askNameServers(
  candidates: readonly string[],
  { hostname, options }: { hostname: string; options: ResolveOptions },
): Promise<readonly Address[]> {
  // A new resolver for each look-up sends its queries from new ports, which makes responses hard to
  // forge, and uses the current configuration of the system.
  const resolver = new Resolver({ timeout: firstTryMs, tries });
  if (options.servers) resolver.setServers(options.servers);
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    resolver.cancel();
  }, options.timeoutMs);
  let code: FailureCode = 'ENOTFOUND';
  try {
    for (const candidate of candidates) {
      const found = await askBothFamilies(resolver, candidate, options.otherFamilyMs);
      if (found.addresses.length > 0) return found.addresses;
      if (found.code !== 'ENOTFOUND') code = found.code;
      if (isLate) break;
    }
  } finally {
    clearTimeout(timer);
  }
  throw Object.assign(new Error(`${hostname} could not be looked up.`), { code });
}

async function askBothFamilies(
  resolver: Resolver,
  name: string,
  otherFamilyMs: number,
): Promise<{ addresses: Address[]; code: FailureCode }> {
  let timer: NodeJS.Timeout | null = null;
  const asAddresses = (family: number) => (found: string[]) => {
    timer ??= setTimeout(() => resolver.cancel(), otherFamilyMs);
    return found.map((address) => ({ address, family }));
  };
  const answers = await Promise.allSettled([
    resolver.resolve4(name).then(asAddresses(4)),
    resolver.resolve6(name).then(asAddresses(6)),
  ]);
  if (timer !== null) clearTimeout(timer);
  const addresses = answers.flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
  const codes = answers.flatMap((each) => (each.status === 'rejected' ? codeOf(each.reason) : []));
  return { addresses, code: codes.find((code) => code !== 'ENOTFOUND') ?? 'ENOTFOUND' };
}

function codeOf(reason: unknown): FailureCode {
  const code = errorCode(reason);
  if (code === 'ENOTFOUND' || code === 'ENODATA' || code === 'EBADNAME') return 'ENOTFOUND';
  return code === 'ETIMEOUT' || code === 'ECANCELLED' ? 'ETIMEOUT' : 'EAI_AGAIN';
}

type Search = { domains: readonly string[]; ndots: number };

/** A name with few dots is tried with the search domains first; others, as they are. */
function candidatesFor(name: string, { domains, ndots }: Search): string[] {
  const below = domains.map((domain) => `${name}.${domain}`);
  const dots = name.split('.').length - 1;
  return dots >= ndots ? [name, ...below] : [...below, name];
}

/** @see https://man7.org/linux/man-pages/man5/resolv.conf.5.html */
function parseSearch(text: string): Search {
  let domains: string[] = [];
  let ndots = 1;
  for (const line of text.split('\n')) {
    const [keyword, ...words] = line.trim().split(/\s+/);
    if (keyword === 'search' || keyword === 'domain') {
      domains = words.map((word) => word.toLowerCase().replace(/\.$/, '')).filter(Boolean);
    }
    if (keyword !== 'options') continue;
    for (const word of words) {
      const asked = /^ndots:(\d+)$/.exec(word)?.[1];
      if (asked !== undefined) ndots = Math.min(Number(asked), 15);
    }
  }
  return { domains, ndots };
}

/** @see https://man7.org/linux/man-pages/man5/hosts.5.html */
function parseHosts(text: string): ReadonlyMap<string, readonly Address[]> {
  const addresses = new Map<string, Address[]>();
  for (const line of text.split('\n')) {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/);
    const family = isIP(address);
    if (family === 0) continue;
    for (const name of names.map((each) => each.toLowerCase())) {
      addresses.set(name, [...(addresses.get(name) ?? []), { address, family }]);
    }
  }
  return addresses;
}

/** The parsed content of a file, read again after a change. A missing file is empty. */
class ParsedFile<Value> {
  readonly #path: string;
  readonly #parse: (text: string) => Value;
  #version = '';
  #value: Value;

  constructor(path: string, parse: (text: string) => Value) {
    this.#path = path;
    this.#parse = parse;
    this.#value = parse('');
  }

  async read(): Promise<Value> {
    const version = await stat(this.#path).then(
      ({ ino, mtimeMs, size }) => `${ino} ${mtimeMs} ${size}`,
      () => '',
    );
    if (version === this.#version) return this.#value;
    const text = version === '' ? '' : await readFile(this.#path, 'utf8').catch(() => '');
    this.#value = this.#parse(text);
    this.#version = version;
    return this.#value;
  }
}
