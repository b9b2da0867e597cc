import { describe, expect, test, vi } from 'vitest';
import { inRequest } from '../testing/fake-next-headers.ts';
import { clearHostCookie, setHostCookie } from './host-cookie.ts';

const cookie = { name: 'session', sameSite: 'lax' } as const;
const attributes = { httpOnly: true, sameSite: 'lax', path: '/' };

/** The arguments with which a cookie is set in the response to a request. */
async function cookieSetBy(act: () => Promise<void>): Promise<unknown[]> {
  const set: unknown[][] = [];
  const request = { headers: new Headers(), cookies: new Map<string, string>() };
  await inRequest({ ...request, onSetCookie: (...args) => set.push(args) }, act);
  expect(set).toHaveLength(1);
  return set[0] ?? [];
}

describe('a cookie of the dashboard', () => {
  test('is Secure and belongs to this host alone if PUBLIC_URL is https', async () => {
    vi.stubEnv('PUBLIC_URL', 'https://keys.example.com');
    expect(await cookieSetBy(() => setHostCookie(cookie, 'value', 60))).toEqual([
      '__Host-session',
      'value',
      {
        ...attributes,
        secure: true,
        maxAge: 60,
      },
    ]);
    expect(await cookieSetBy(() => clearHostCookie(cookie))).toEqual([
      '__Host-session',
      '',
      {
        ...attributes,
        secure: true,
        maxAge: 0,
      },
    ]);
  });

  test('is sent over http as well if PUBLIC_URL is http', async () => {
    vi.stubEnv('PUBLIC_URL', 'http://localhost:3000');
    expect(await cookieSetBy(() => setHostCookie(cookie, 'value', 60))).toEqual([
      'session',
      'value',
      {
        ...attributes,
        secure: false,
        maxAge: 60,
      },
    ]);
  });
});
