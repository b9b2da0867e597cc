import { describe, expect, test } from 'vitest';
import { refusePage } from './refuse-page.ts';

const publicUrl = new URL('https://keys.example.com');
const local = new URL('http://localhost:3000');

describe('a page', () => {
  test.each<[string | null, URL, number | undefined]>([
    ['keys.example.com', publicUrl, undefined],
    ['localhost:3000', publicUrl, undefined],
    ['127.0.0.1:3000', local, undefined],
    ['[::1]:3000', local, undefined],
    ['localhost', local, undefined],
    ['keys.example.com:8443', publicUrl, 421],
    ['evil.example', publicUrl, 421],
    ['keys.example.com.evil.example', publicUrl, 421],
    ['localhost.evil.example', local, 421],
    ['192.168.1.5:3000', local, 421],
    [null, local, 421],
  ])('at %s of %s: %s', (host, at, expected) => {
    const request = { method: 'GET', url: '/', headers: {} };
    expect(refusePage(request, { host, publicUrl: at })?.status).toBe(expected);
  });

  test.each(['GET', 'HEAD'])('can be requested with %s from anywhere', (method) => {
    const headers = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' };
    const request = { method, url: '/a/7/settings/api-keys?at=/a/7/data/x', headers };
    expect(refusePage(request, { host: 'keys.example.com', publicUrl })).toBeNull();
  });

  test.each(['TRACE', 'PUT', 'PROPFIND'])(
    'does not accept %s, even from our own page',
    (method) => {
      const request = {
        method,
        url: '/a/7/settings/api-keys',
        headers: { 'sec-fetch-site': 'same-origin' },
      };
      expect(refusePage(request, { host: 'keys.example.com', publicUrl })).toMatchObject({
        status: 405,
        allowed: 'GET, HEAD, POST, DELETE, OPTIONS',
      });
    },
  );
});

test.each(['/_global-error', '/_global-error?x=1', '/_next/../_global-error'])(
  'the page for failures is no page of its own, and Next would respond with 500: %s',
  (url) => {
    const request = { method: 'GET', url, headers: {} };
    expect(refusePage(request, { host: 'keys.example.com', publicUrl })).toMatchObject({
      status: 404,
    });
  },
);

describe('a file', () => {
  const headers = { 'sec-fetch-site': 'same-origin' };
  test.each([
    ['POST', '/icon.svg'],
    ['POST', '/favicon.ico?x=1'],
    ['DELETE', '/service-worker.js'],
    ['OPTIONS', '/favicon%2eico'],
    ['POST', '/x/../favicon.ico'],
  ])('is never changed: %s %s is refused, even from our own page', (method, url) => {
    const refusal = refusePage({ method, url, headers }, { host: 'keys.example.com', publicUrl });
    expect(refusal).toMatchObject({ status: 405, allowed: 'GET, HEAD' });
  });

  test('is not what the pattern of a route is, to which Next forwards actions', () => {
    const request = { method: 'POST', url: '/a/[account]/[...missing]', headers };
    expect(refusePage(request, { host: 'keys.example.com', publicUrl })).toBeNull();
  });

  test.each(['GET', 'HEAD'])('can be requested with %s', (method) => {
    const request = { method, url: '/favicon.ico', headers };
    expect(refusePage(request, { host: 'keys.example.com', publicUrl })).toBeNull();
  });
});

describe.each([
  ['a change', 'POST', '/a/7/settings/api-keys'],
  ['another kind of change', 'DELETE', '/'],
  ['a refetch', 'GET', '/a/7/data/listApiKeys'],
  ['a refetch with a query', 'GET', '/a/7/data?x=1'],
  ['a refetch of the support desk', 'GET', '/support/data/getSupportDesk'],
  ['a refetch in disguise', 'GET', '/%61/7/%64ata/api-keys'],
  ['a refetch with more slashes', 'GET', '//a//7//data/listApiKeys'],
  ['a refetch on a detour', 'GET', '/a/7/x/../data/listApiKeys'],
  ['a refetch with backslashes', 'GET', '/a\\7\\data\\api-keys'],
])('%s', (_, method, url) => {
  test.each<[string, Record<string, string>, boolean]>([
    ['from our own page', { 'sec-fetch-site': 'same-origin' }, true],
    [
      'from our own page, as browsers say twice',
      { 'sec-fetch-site': 'same-origin', origin: 'https://keys.example.com' },
      true,
    ],
    ['from our own page in an older browser', { origin: 'https://keys.example.com' }, true],
    [
      'from another site',
      { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
      false,
    ],
    ['from a neighbor', { 'sec-fetch-site': 'same-site', origin: 'https://x.example.com' }, false],
    ['typed into the address bar', { 'sec-fetch-site': 'none' }, false],
    ['from another site in an older browser', { origin: 'https://evil.example' }, false],
    ['from our name without TLS', { origin: 'http://keys.example.com' }, false],
    ['from our name on another port', { origin: 'https://keys.example.com:8443' }, false],
    ['from a sandbox', { origin: 'null' }, false],
    [
      'from our own page, of another origin',
      { 'sec-fetch-site': 'same-origin', origin: 'https://evil.example' },
      false,
    ],
    ['from our own page, of no origin', { 'sec-fetch-site': 'same-origin', origin: '' }, false],
    [
      'contradicting itself',
      { 'sec-fetch-site': 'cross-site', origin: 'https://keys.example.com' },
      false,
    ],
    ['that says nothing', {}, false],
  ])('%s', (__, headers, isAllowed) => {
    const refusal = refusePage({ method, url, headers }, { host: 'keys.example.com', publicUrl });
    expect(refusal?.status).toBe(isAllowed ? undefined : 403);
  });

  test('from our own page is refused if a proxy put another host in its place, with what to do', () => {
    const request = { method, url, headers: { origin: publicUrl.origin } };
    expect(refusePage(request, { host: '127.0.0.1:3000', publicUrl })).toEqual({
      status: 421,
      message:
        'The Host header of this request is 127.0.0.1:3000, but the dashboard is at https://keys.example.com (the setting PUBLIC_URL). If you opened that address, the proxy in front of the service must pass Host on, or be in TRUSTED_PROXIES.',
    });
  });

  test.each([
    ['127.0.0.1:3000', 'http://127.0.0.1:3000', true],
    ['127.0.0.1:3000', 'http://127.0.0.1:4000', false],
    ['127.0.0.1:3000', 'http://localhost:4000', false],
  ])('at %s from %s: %s', (host, origin, isAllowed) => {
    const request = { method, url, headers: { origin } };
    const refusal = refusePage(request, { host, publicUrl: local });
    expect(refusal?.status).toBe(isAllowed ? undefined : 403);
  });
});
