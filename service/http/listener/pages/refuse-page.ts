import type { IncomingMessage } from 'node:http';
import { publicUrlSetting } from '#lib/contract/public-url-setting.ts';
import { isLoopbackHost } from '../../../network/networks.ts';
import type { RequestOrigin } from '../client/sanitize-headers.ts';

/** The reason why a request for a page is not passed on. */
type PageRefusal =
  | { status: 403 | 404 | 421; message: string }
  /** `allowed`: the value of the header `Allow`. */
  | { status: 405; message: string; allowed: string };

/** The methods of pages, actions and route handlers. Next responds with 500 to `TRACE`. */
const pageMethods = ['GET', 'HEAD', 'POST', 'DELETE', 'OPTIONS'];

/**
 * Files are only read. Next responds with 500 to other methods for the files in `public/`, and runs
 * server actions that are posted to others.
 */
const fileMethods = ['GET', 'HEAD'];

/**
 * Decides whether a request for a page is allowed. The dashboard has one address, so that another
 * host name that points to this machine (DNS rebinding) reaches nothing. Requests that change
 * something, or that read data for our own scripts, must come from our own pages (CSRF).
 */
export function refusePage(
  request: Pick<IncomingMessage, 'method' | 'url' | 'headers'>,
  {
    host,
    publicUrl,
    isDirect = true,
  }: Pick<RequestOrigin, 'host'> & Partial<Pick<RequestOrigin, 'isDirect'>> & { publicUrl: URL },
): PageRefusal | null {
  if (host === null || !isOurs(host, { publicUrl, isDirect })) return refuseHost(host, publicUrl);
  if (isPageForFailures(request)) return { status: 404, message: 'Page not found.' };
  const methods = isFile(request) ? fileMethods : pageMethods;
  if (!methods.includes(request.method ?? '')) {
    const allowed = methods.join(', ');
    return {
      status: 405,
      message: `The dashboard does not accept this method. Use one of ${allowed}.`,
      allowed,
    };
  }
  if (isReadOnly(request)) return null;
  if (!isFromOurPages(request, { host, publicUrl })) {
    const message = `This request did not come from a page of the dashboard at ${publicUrl.origin} (${publicUrlSetting}).`;
    return { status: 403, message };
  }
  // Next would fail, because it compares the two.
  const { origin } = request.headers;
  return origin === publicUrl.origin && host !== publicUrl.host
    ? refuseHost(host, publicUrl)
    : null;
}

/** On loopback, operators reach the dashboard without their proxy. */
function isOurs(
  host: string,
  { publicUrl, isDirect }: { publicUrl: URL; isDirect: boolean },
): boolean {
  if (host === publicUrl.host) return true;
  return isLoopback(host) && (isDirect || isLoopback(publicUrl.host));
}

function refuseHost(host: string | null, publicUrl: URL): PageRefusal {
  return {
    status: 421,
    message: `The Host header of this request is ${host ?? 'not valid'}, but the dashboard is at ${publicUrl.origin} (${publicUrlSetting}). If you opened that address, the proxy in front of the service must pass Host on, or be in TRUSTED_PROXIES.`,
  };
}

/** Next shows this page when another one fails. At its own path it responds with 500. */
function isPageForFailures({ url }: Pick<IncomingMessage, 'url'>): boolean {
  return pathOf(url ?? '/') === '/_global-error';
}

/**
 * The path of a file ends with an extension. That of a page does not, not even the pattern of a route
 * to which Next forwards an action, such as `/a/[account]/[...missing]`.
 */
function isFile({ url }: Pick<IncomingMessage, 'url'>): boolean {
  return /\.[a-z\d]+$/i.test(pathOf(url ?? '/'));
}

/** A page can be requested from anywhere, but its data cannot. */
function isReadOnly({ method, url }: Pick<IncomingMessage, 'method' | 'url'>): boolean {
  const isData = /^\/+(?:a\/+[^/]*|support)\/+data(?:\/|$)/i.test(pathOf(url ?? '/'));
  return (method === 'GET' || method === 'HEAD') && !isData;
}

/**
 * Browsers set `Sec-Fetch-Site` themselves, and no page can change it; `Origin` serves older
 * browsers. If both are sent, both must match: Next compares `Origin` with the host, and fails if
 * it differs.
 */
function isFromOurPages(
  { headers }: Pick<IncomingMessage, 'headers'>,
  { host, publicUrl }: { host: string; publicUrl: URL },
): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin') return false;
  if (headers.origin === undefined) return site !== undefined;
  const origin = URL.parse(headers.origin);
  if (origin === null) return false;
  return origin.origin === publicUrl.origin || (origin.host === host && isLoopback(host));
}

function isLoopback(host: string): boolean {
  return isLoopbackHost(host.replace(/:\d+$/, ''));
}

/** The path as another server may read it: with dots and backslashes resolved, and decoded. */
function pathOf(url: string): string {
  const path = URL.parse(`http://own.invalid${url}`)?.pathname ?? url;
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}
