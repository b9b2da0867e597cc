import { NextRequest } from 'next/server';
import { expect, test } from 'vitest';
import { config, proxy } from './proxy.ts';

/** The content security policy of one response, by directive. */
function policyOfPage(): Map<string, string> {
  const response = proxy(new NextRequest('http://localhost:3000/a/7/settings/api-keys'));
  const policy = response.headers.get('Content-Security-Policy') ?? '';
  return new Map(
    policy.split('; ').map((directive) => {
      const [name = '', ...sources] = directive.split(' ');
      return [name, sources.join(' ')];
    }),
  );
}

test('a page runs only scripts that have its nonce, and cannot be framed', () => {
  const policy = policyOfPage();
  expect(policy.get('script-src')).toMatch(/^'self' 'nonce-[A-Za-z0-9+/]{22}==' 'strict-dynamic'$/);
  expect(policy.get('style-src-elem')).not.toContain('unsafe-inline');
  for (const name of ['object-src', 'base-uri', 'frame-ancestors']) {
    expect(policy.get(name)).toBe("'none'");
  }
});

test.each([
  ['/a/7/settings/api-keys', true],
  ['/', true],
  ['/icon.svg', false],
  ['/icon.svgx', true],
  ['/favicon.ico/x', true],
  ['/service-worker.jsx', true],
  ['/_next/image', true],
  ['/_next/static/chunks/a.js', false],
])('the response to %s has a policy, as every page does, and no file: %s', (path, hasPolicy) => {
  const isMatched = config.matcher.some((pattern) => new RegExp(`^${pattern}$`).test(path));
  expect(isMatched).toBe(hasPolicy);
});

test.each([
  ['/docs/pictures/keys.png', false],
  ['/docs/pictures/a/b', true],
  ['/docs/guides/admin.md', false],
  ['/docs/guides/admin', true],
])('of the documentation, only pages have the policy of pages: %s', (path, hasPolicy) => {
  const response = proxy(new NextRequest(`http://localhost:3000${path}`));
  expect(response.headers.has('Content-Security-Policy')).toBe(hasPolicy);
});

test('a worker runs only if it is a file of this site', () => {
  expect(policyOfPage().get('worker-src')).toBe("'self'");
});

test('every response has a nonce of its own', () => {
  const nonces = Array.from({ length: 100 }, () => policyOfPage().get('script-src'));
  expect(new Set(nonces).size).toBe(100);
});

function pageOf(path: string, headers: Record<string, string>): string | null {
  const response = proxy(new NextRequest(`http://localhost:3000${path}`, { headers }));
  return response.headers.get('x-middleware-request-x-page-path');
}

test('the page is that of the URL, no matter what the request headers say', () => {
  const path = '/a/7/settings/webhooks?q=a';
  expect(pageOf(path, {})).toBe(path);
  expect(pageOf(path, { 'x-page-path': '/a/8/settings' })).toBe(path);
});

test('an action that Next forwards keeps the page on which it was called', () => {
  const calledOn = { 'x-page-path': '/a/7/settings/webhooks', 'x-action-forwarded': '1' };
  expect(pageOf('/a/[account]/settings/api-keys', calledOn)).toBe('/a/7/settings/webhooks');
});
