import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Config } from '../../../config/load-config.ts';
import { isInNetworks } from '../../../network/networks.ts';
import { clientAddress, clientAddressHeader } from './client-address.ts';
import { addressSignatureHeader } from './address-signer.ts';
import type { AddressSigner } from './address-signer.ts';

/** The trusted facts about a request, after its headers were checked. */
export type RequestOrigin = {
  address: string;
  /**
   * The requested host in lower case, with its port unless that is the default of the scheme. Behind
   * a trusted proxy that does not say which one was requested, that of PUBLIC_URL.
   */
  host: string | null;
  /** Whether the client connected here without a proxy, as far as the headers tell. */
  isDirect: boolean;
};

/**
 * Determines where a request comes from, believing only trusted proxies, and rewrites its headers
 * accordingly: removes all forwarding headers, and adds one with the client's address. Otherwise
 * Next would believe `X-Forwarded-Host` when it compares origins.
 */
export function sanitizeHeaders(
  request: IncomingMessage,
  config: Pick<Config, 'publicUrl' | 'trustedProxies'>,
  signer: AddressSigner,
): RequestOrigin {
  const { headers } = request;
  const peer = request.socket.remoteAddress;
  const isProxied = isInNetworks(peer ?? '', config.trustedProxies);
  const verified = signer.verifiedAddress(headers);
  const isRefused = (name: string) =>
    isOurs(name) || (verified === null && ofForwardedAction.has(name));
  const names = Object.keys(headers).filter(isRefused);
  const origin = {
    address:
      verified ??
      clientAddress({
        peer,
        forwardedFor: headers['x-forwarded-for']?.toString(),
        trustedProxies: config.trustedProxies,
      }),
    host: hostOf(headers, {
      // If Next forwarded the request, this listener set the header.
      believesForwarded: isProxied || verified !== null,
      isProxied,
      publicUrl: config.publicUrl,
    }),
    // No browser uses HTTP/1.0, which is what nginx sends by default.
    isDirect: verified !== null || !(names.some(isForwarding) || request.httpVersion === '1.0'),
  };

  // Most requests have none of these headers.
  if (names.length > 0) {
    for (const name of names) delete headers[name];
    const kept = request.rawHeaders.filter(
      (_, index, raw) => !isRefused((raw[index - (index % 2)] ?? '').toLowerCase()),
    );
    // Hono reads the raw list of headers, Next the parsed one.
    request.rawHeaders.splice(0, Infinity, ...kept);
  }
  setHeader(request, clientAddressHeader, origin.address);
  return origin;
}

/**
 * Headers of an action that Next forwards. It marks the request with the first one; such requests
 * have a separate limit of renders. `proxy.ts` has set the second one on the page on which the
 * action was called, and the account in which the action acts is the one that it names.
 */
const ofForwardedAction = new Set(['x-action-forwarded', 'x-page-path']);

/** Sets a header that the request does not have. */
export function setHeader(request: IncomingMessage, name: string, value: string): void {
  request.headers[name] = value;
  request.rawHeaders.push(name, value);
}

/**
 * Whether clients must not set a header: those of proxies, internal ones of Next, and those of the
 * connection. The connection stays as it is, and Next would pass on a request to upgrade it.
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

function hostOf(
  headers: IncomingHttpHeaders,
  {
    believesForwarded,
    isProxied,
    publicUrl,
  }: { believesForwarded: boolean; isProxied: boolean; publicUrl: URL },
): string | null {
  const { protocol } = publicUrl;
  const forwarded = believesForwarded ? lastOf(headers['x-forwarded-host']) : undefined;
  if (forwarded !== undefined) return normalHost(forwarded, protocol);
  const host = normalHost(headers.host, protocol);
  // By default, proxies put the name by which they know this service into Host. What a browser opened
  // itself is also in Origin.
  const isOfBrowser = host !== null && URL.parse(headers.origin ?? '')?.host === host;
  return isProxied && !isOfBrowser ? publicUrl.host : host;
}

function lastOf(header: string | string[] | undefined): string | undefined {
  return header?.toString().split(',').pop()?.trim();
}

function normalHost(text: string | undefined, protocol: string): string | null {
  if (text === undefined || !/^[\w.:[\]-]+$/.test(text)) return null;
  return URL.parse(`${protocol}//${text}`)?.host ?? null;
}
