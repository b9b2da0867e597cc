import type { IncomingMessage } from 'node:http';
import { isLoopbackHost } from '../../../networks.ts';

/** Why a request for a page is not passed on. */
export type PageRefusal =
  | { status: 403 | 421; message: string }
  /** `allowed`: for the header `Allow`. */
  | { status: 405; message: string; allowed: string };

/** The methods of pages, actions and route handlers. Next answers 500 to `TRACE`. */
const pageMethods = ['GET', 'HEAD', 'POST', 'DELETE', 'OPTIONS'];

/**
 * Who may ask for pages. The dashboard lives at one address, so that another name pointed at this
 * machine (DNS rebinding) reaches nothing; and what changes something, or reads data for our own
 * scripts, must come from our own pages (CSRF).
 */
export function refusePage(
  request: Pick<IncomingMessage, 'method' | 'url' | 'headers'>,
  { host, publicUrl }: { host: string | null; publicUrl: URL },
): PageRefusal | null {
  if (host === null || !(host === publicUrl.host || isLoopback(host))) {
    return {
      status: 421,
      message: `The dashboard is not at this address. Open ${publicUrl.origin} (the setting PUBLIC_URL).`,
    };
  }
  if (!pageMethods.includes(request.method ?? '')) {
    const allowed = pageMethods.join(', ');
    return {
      status: 405,
      message: `The dashboard does not accept this method. Use one of ${allowed}.`,
      allowed,
    };
  }
  if (isReadOnly(request) || isFromOurPages(request, { host, publicUrl })) return null;
  return { status: 403, message: 'This request did not come from a page of the dashboard.' };
}

/** A page may be asked for from anywhere; the data behind it may not. */
function isReadOnly({ method, url }: Pick<IncomingMessage, 'method' | 'url'>): boolean {
  const isData = /^\/+(?:a\/+[^/]*|support)\/+data(?:\/|$)/i.test(pathOf(url ?? '/'));
  return (method === 'GET' || method === 'HEAD') && !isData;
}

/**
 * Browsers write `Sec-Fetch-Site` themselves, and no page can; `Origin` serves older ones. Where
 * both are sent, both must say so: Next compares the second with the host, and fails if it differs.
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

/** As whatever serves it may read it: dots and backslashes resolved, and decoded. */
function pathOf(url: string): string {
  const path = URL.parse(`http://own.invalid${url}`)?.pathname ?? url;
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}
