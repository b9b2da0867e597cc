import { type NextRequest, NextResponse } from 'next/server';

/**
 * Gives every page its content security policy with a fresh nonce, and keeps pages out of every
 * cache. The listener adds the headers that every response has. This is routing only: nothing here
 * decides who may do what.
 */
export function proxy(request: NextRequest): NextResponse {
  const text = textOfDocs(request);
  if (text) return text;
  const nonce = makeNonce();
  const policy = contentSecurityPolicy(nonce);

  // Next reads the nonce for its own scripts from the policy on the request.
  const headers = new Headers(request.headers);
  headers.set('x-nonce', nonce);
  // Layouts and actions do not get the URL from Next; `lib/paths/page-path.ts` reads it.
  headers.set('x-page-path', pagePathOf(request));
  headers.set('Content-Security-Policy', policy);

  const response = NextResponse.next({ request: { headers } });
  response.headers.set('Content-Security-Policy', policy);
  response.headers.set('Cache-Control', 'no-store');
  response.headers.set('X-Frame-Options', 'DENY');
  response.headers.set('Cross-Origin-Opener-Policy', 'same-origin');
  response.headers.set('Permissions-Policy', 'camera=(), geolocation=(), microphone=()');
  return response;
}

/** The text of a page of the documentation, at its address with `.md`, and other texts there. */
function textOfDocs({ nextUrl }: NextRequest): NextResponse | null {
  const [, page] = /^\/docs(\/.+|)\.md$/.exec(nextUrl.pathname) ?? [];
  if (page !== undefined) {
    const url = nextUrl.clone();
    url.pathname = `/docs/text${page === '' ? '/index' : page}`;
    return NextResponse.rewrite(url);
  }
  const isText = /^\/(llms\.txt$|docs\/(search\.json$|pictures\/[^/]+$))/.test(nextUrl.pathname);
  return isText ? NextResponse.next() : null;
}

/**
 * Path and query of the page. If a page does not contain an action, Next forwards the call to a
 * page that does, at the pattern of its route (`/a/[account]/…`) and with the headers that this
 * function set. The page then stays the one on which the action was called.
 */
function pagePathOf({ headers, nextUrl }: NextRequest): string {
  const calledOn = headers.get('x-action-forwarded') === '1' ? headers.get('x-page-path') : null;
  return calledOn ?? nextUrl.pathname + nextUrl.search;
}

/** Everything except the API and files, each by its exact path: a longer one may be a page. */
export const config = {
  matcher: ['/((?!api/|_next/static/|icon\\.svg$|favicon\\.ico$|service-worker\\.js$).*)'],
};

const isDevelopment = process.env.NODE_ENV === 'development';

function contentSecurityPolicy(nonce: string): string {
  return [
    "default-src 'self'",
    // React's development build evaluates strings to rebuild the server's stacks.
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${isDevelopment ? " 'unsafe-eval'" : ''}`,
    // The development overlay adds styles without a nonce, and a nonce would void 'unsafe-inline'.
    isDevelopment
      ? "style-src-elem 'self' 'unsafe-inline'"
      : `style-src-elem 'self' 'nonce-${nonce}'`,
    "style-src-attr 'unsafe-inline'",
    "font-src 'self'",
    "connect-src 'self'",
    "img-src 'self' data:",
    // Otherwise workers would follow `script-src`, where 'strict-dynamic' voids 'self'.
    "worker-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}

function makeNonce(): string {
  return btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(16))));
}
