import { readFileSync } from 'node:fs';
import { createContext, runInContext } from 'node:vm';
import { expect, test } from 'vitest';

type PageResponse = { status: number; headers: Headers };
type Asked = { method?: string; mode?: string; path?: string };
type Sources = {
  preload?: Promise<PageResponse | undefined>;
  network?: () => Promise<PageResponse>;
};

const source = readFileSync(new URL('../../../public/service-worker.js', import.meta.url), 'utf8');

/**
 * What the worker does with a request: the response it gives, or null if it leaves the request to
 * the browser.
 */
async function ask(
  { method = 'GET', mode = 'navigate', path = '/' }: Asked,
  sources: Sources = {},
) {
  const { preload = Promise.resolve(undefined), network = () => Promise.resolve(page(200)) } =
    sources;
  const { listeners } = startWorker(network);
  let response: Promise<Response> | null = null;
  listeners.get('fetch')?.({
    request: { method, mode, url: `https://keys.example.com${path}` },
    preloadResponse: preload,
    respondWith: (given: Promise<Response>) => {
      response = given;
    },
  });
  return await (response as Promise<Response> | null);
}

/** Anything else it would touch, such as `caches` or `clients`, is missing. */
function startWorker(network: () => Promise<PageResponse>) {
  const listeners = new Map<string, (event: object) => void>();
  const self = {
    addEventListener: (type: string, listener: (event: object) => void) =>
      listeners.set(type, listener),
    skipWaiting: () => undefined,
    registration: {},
  };
  const { crypto } = globalThis;
  runInContext(source, createContext({ self, fetch: network, Response, URL, btoa, crypto }));
  return { listeners };
}

/** A response of the service; `policy` is the content security policy of its pages. */
function page(status: number, policy = "script-src 'nonce-a'"): PageResponse {
  return { status, headers: new Headers({ 'Content-Security-Policy': policy }) };
}

const away = () => Promise.reject(new TypeError('Failed to fetch'));
const fromProxy = (status: number) => () => Promise.resolve({ status, headers: new Headers() });

async function isWaitingPage(response: Response | null): Promise<boolean> {
  return (await response?.text())?.includes('<h1>The service cannot be reached</h1>') === true;
}

test.each(['/', '/sign-in', '/a/7/settings/api-keys?q=a', '/a/7/settings/webhooks/data'])(
  'while the service is unavailable, %s shows the waiting page',
  async (path) => {
    const response = await ask({ path }, { network: away });
    expect(response?.status).toBe(503);
    expect(response?.headers.get('Cache-Control')).toBe('no-store');
    expect(await isWaitingPage(response)).toBe(true);
  },
);

test.each([502, 503, 504])(
  'the waiting page is also shown when a proxy responds with %i in place of the service',
  async (status) => {
    expect(await isWaitingPage(await ask({}, { network: fromProxy(status) }))).toBe(true);
  },
);

test.each([
  ['a page', page(200)],
  ['a page that failed', page(500)],
  ['a page of ours with a status that proxies use', page(503)],
  ['a redirect', { status: 0, headers: new Headers() }],
  ['a refusal', { status: 429, headers: new Headers() }],
])('%s is passed on unchanged', async (_what, response) => {
  expect(await ask({}, { network: () => Promise.resolve(response) })).toBe(response);
});

test('a page that the browser preloaded is not requested again', async () => {
  const response = page(200);
  expect(await ask({}, { preload: Promise.resolve(response), network: away })).toBe(response);
  expect(await isWaitingPage(await ask({}, { preload: away() }))).toBe(true);
});

test.each([
  { method: 'POST' },
  { method: 'HEAD' },
  { mode: 'cors', path: '/a/7/settings/api-keys?_rsc=1' },
  { mode: 'same-origin' },
  { mode: 'no-cors', path: '/icon.svg' },
  { path: '/api' },
  { path: '/api/v1/webhooks' },
  { path: '/healthz' },
  { path: '/readyz' },
  { path: '/metrics' },
  { path: '/a/7/data/api-keys' },
  { path: '/_next/static/a.js' },
])('%o is left to the browser', async (asked) => {
  expect(await ask(asked, { network: away })).toBeNull();
});

test('the waiting page runs only its own script and loads nothing', async () => {
  const response = await ask({}, { network: away });
  const policy = response?.headers.get('Content-Security-Policy') ?? '';
  const [, nonce = ''] = /script-src 'nonce-([A-Za-z0-9+/]{22}==)'/.exec(policy) ?? [];
  expect(policy).toMatch(/^default-src 'none'; /);
  expect(policy).not.toContain('unsafe');
  const html = (await response?.text()) ?? '';
  expect(html.match(/<(script|style)\b/g)).toHaveLength(2);
  expect(html.split(`nonce="${nonce}"`)).toHaveLength(3);
  expect(html).not.toMatch(/\b(?:src|srcset|action)=|url\(|https?:\/\/(?!www\.w3\.org)/);
  const another = await ask({}, { network: away });
  expect(another?.headers.get('Content-Security-Policy')).not.toBe(policy);
});
