import { NextRequest } from 'next/server';
import { expect, test } from 'vitest';
import { proxy } from './proxy.ts';

/** The content security policy of one answer, by directive. */
function policyOfPage(): Map<string, string> {
  const response = proxy(new NextRequest('http://localhost:3000/settings/api-keys'));
  const policy = response.headers.get('Content-Security-Policy') ?? '';
  return new Map(
    policy.split('; ').map((directive) => {
      const [name = '', ...sources] = directive.split(' ');
      return [name, sources.join(' ')];
    }),
  );
}

test('a page runs only scripts that carry its nonce, and may be framed by nobody', () => {
  const policy = policyOfPage();
  expect(policy.get('script-src')).toMatch(/^'self' 'nonce-[A-Za-z0-9+/]{22}==' 'strict-dynamic'$/);
  expect(policy.get('style-src-elem')).not.toContain('unsafe-inline');
  for (const name of ['object-src', 'base-uri', 'frame-ancestors']) {
    expect(policy.get(name)).toBe("'none'");
  }
});

test('every answer has a nonce of its own', () => {
  const nonces = Array.from({ length: 100 }, () => policyOfPage().get('script-src'));
  expect(new Set(nonces).size).toBe(100);
});
