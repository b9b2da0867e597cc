import { request as requestPlain } from 'node:http';
import { request as requestSecure } from 'node:https';
import { Socket, isIP, isIPv6 } from 'node:net';
import type { Duplex } from 'node:stream';
import { callbackify } from 'node:util';
import { errors } from 'undici';
import type { buildConnector } from 'undici';
import { createBoundedConnector } from './connect-bounded.ts';
import type { ConnectorOptions } from './connect-bounded.ts';

/** The proxy refused to open a tunnel. */
export class ProxyRefusedError extends Error {
  override readonly name = 'ProxyRefusedError';
  readonly statusCode: number;

  constructor(statusCode: number) {
    super(`The proxy responded with ${statusCode}.`);
    this.statusCode = statusCode;
  }
}

/** The proxy could not be used. This is an internal error, never one of the receiver. */
class ProxyUnavailableError extends Error {
  override readonly name = 'ProxyUnavailableError';
}

/** Connects through a proxy with CONNECT, which decides what is reachable. TLS is end to end. */
export function createProxyConnector(
  options: { proxy: URL } & ConnectorOptions,
): buildConnector.connector {
  const openThen = callbackify(openTunnel);
  return createBoundedConnector(
    (target, callback) =>
      openThen(authorityOf(target), options, (error, socket) =>
        error ? callback(error, null) : callback(null, socket),
      ),
    options,
  );
}

function authorityOf({ hostname, port, protocol }: buildConnector.Options): string {
  const host = isIPv6(hostname) ? `[${hostname}]` : hostname;
  return `${host}:${port || (protocol === 'http:' ? 80 : 443)}`;
}

async function openTunnel(
  authority: string,
  { proxy, connectTimeoutMs, ca }: { proxy: URL } & ConnectorOptions,
): Promise<Socket> {
  const proxyHost = proxy.hostname.replace(/^\[|\]$/g, '');
  const request = (proxy.protocol === 'https:' ? requestSecure : requestPlain)({
    host: proxyHost,
    // Without it, Node would expect a certificate of the host in the Host header: the receiver.
    servername: isIP(proxyHost) ? '' : proxyHost.replace(/\.$/, ''),
    ...(ca !== undefined && { ca }),
    port: proxy.port || (proxy.protocol === 'https:' ? 443 : 80),
    method: 'CONNECT',
    path: authority,
    headers: { host: authority, ...credentialsOf(proxy) },
    agent: false,
  });
  const tunnel = Promise.withResolvers<Socket>();
  const timer = setTimeout(
    () => request.destroy(new errors.ConnectTimeoutError('No tunnel was opened in time.')),
    connectTimeoutMs,
  );
  request.once('connect', ({ statusCode = 0 }, socket: Duplex, head) => {
    // Any 2xx opens a tunnel (RFC 9110, 9.3.6).
    if (statusCode < 200 || statusCode > 299 || !(socket instanceof Socket)) {
      socket.destroy();
      tunnel.reject(new ProxyRefusedError(statusCode));
      return;
    }
    if (head.length > 0) socket.unshift(head);
    tunnel.resolve(socket);
  });
  request.on('error', (cause) => {
    const isLate = cause instanceof errors.ConnectTimeoutError;
    tunnel.reject(isLate ? cause : new ProxyUnavailableError('The proxy failed.', { cause }));
  });
  request.end();
  try {
    return await tunnel.promise;
  } finally {
    clearTimeout(timer);
  }
}

function credentialsOf({ username, password }: URL): Record<string, string> {
  if (username === '' && password === '') return {};
  const text = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(text).toString('base64')}` };
}
