import type { IncomingMessage } from 'node:http';
import { LRUCache } from 'lru-cache';
import type { Config } from '../../../config/load-config.ts';
import { isInNetworks } from '../../../networks.ts';
import { clientAddress, clientAddressHeader } from './client-address.ts';
import { addressSignatureHeader } from './address-signer.ts';
import type { AddressSigner } from './address-signer.ts';

/** What the listener knows of a request once its headers can be believed. */
export type RequestOrigin = {
  address: string;
  /** The host the client asked for, lower case, with its port unless that is the scheme's own. */
  host: string | null;
  /** The client connected here without a proxy between, as far as its headers tell. */
  isDirect: boolean;
};

/**
 * Reads what a request says about where it comes from, believing proxies only where they are
 * trusted, and rewrites its headers to say just that: every forwarding header goes, and one
 * client address comes. Next would otherwise believe `X-Forwarded-Host` when it compares origins.
 */
export function cleanseHeaders(
  request: IncomingMessage,
  config: Pick<Config, 'publicUrl' | 'trustedProxies'>,
  signer: AddressSigner,
): RequestOrigin {
  const { headers } = request;
  const peer = request.socket.remoteAddress;
  const isProxied = isInNetworks(peer ?? '', config.trustedProxies);
  const verified = signer.verifiedAddress(headers);
  const isRefused = (name: string) =>
    isOurs(name) || (verified === null && name === forwardedAction);
  const names = Object.keys(headers).filter(isRefused);
  const origin = {
    address:
      verified ??
      clientAddress({
        peer,
        forwardedFor: headers['x-forwarded-for']?.toString(),
        trustedProxies: config.trustedProxies,
      }),
    host: normalHost(
      // On a request that Next forwarded, this listener set the header.
      (isProxied || verified !== null ? lastOf(headers['x-forwarded-host']) : undefined) ??
        headers.host,
      config.publicUrl.protocol,
    ),
    isDirect: !names.some(isForwarding),
  };

  // Most requests have none of them.
  if (names.length > 0) {
    for (const name of names) delete headers[name];
    const kept = request.rawHeaders.filter(
      (_, index, raw) => !isRefused((raw[index - (index % 2)] ?? '').toLowerCase()),
    );
    // Hono reads the raw list, Next the parsed one.
    request.rawHeaders.splice(0, Infinity, ...kept);
  }
  setHeader(request, clientAddressHeader, origin.address);
  return origin;
}

/** Next marks forwarded actions with it, and they have their own limit of renders. */
const forwardedAction = 'x-action-forwarded';

/** Sets a header that the request does not have. */
export function setHeader(request: IncomingMessage, name: string, value: string): void {
  request.headers[name] = value;
  request.rawHeaders.push(name, value);
}

/**
 * Headers that a client must not set: those of proxies, and internal ones of Next. Those of the
 * connection go as well: it stays as it is, and Next would pass a wish to upgrade on.
 *
 * @param lower the header's name in lower case
 */
function isOurs(lower: string): boolean {
  return (
    lower === clientAddressHeader ||
    lower === addressSignatureHeader ||
    lower.startsWith('x-middleware-') ||
    isForwarding(lower) ||
    ofConnection.has(lower)
  );
}

const ofConnection = new Set(['connection', 'upgrade', 'http2-settings']);

function isForwarding(name: string): boolean {
  return name === 'forwarded' || name === 'x-real-ip' || name.startsWith('x-forwarded-');
}

function lastOf(header: string | string[] | undefined): string | undefined {
  return header?.toString().split(',').pop()?.trim();
}

/** What hosts were read as, the latest last. Most requests name the same few. */
const knownHosts = new LRUCache<string, { host: string | null }>({ max: 100 });

function normalHost(text: string | undefined, protocol: string): string | null {
  if (text === undefined || !/^[\w.:[\]-]+$/.test(text)) return null;
  const url = `${protocol}//${text}`;
  const known = knownHosts.get(url);
  if (known) return known.host;
  const host = URL.parse(url)?.host ?? null;
  knownHosts.set(url, { host });
  return host;
}
