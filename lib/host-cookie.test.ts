import { beforeEach, describe, expect, test, vi } from 'vitest';
import { clearHostCookie, setHostCookie } from './host-cookie.ts';

const { set } = vi.hoisted(() => ({ set: vi.fn() }));
vi.mock('next/headers', () => ({ cookies: async () => ({ set }) }));

const cookie = { name: 'session', sameSite: 'lax' } as const;
const attributes = { httpOnly: true, sameSite: 'lax', path: '/' };

beforeEach(() => set.mockClear());

describe('a cookie of the dashboard', () => {
  test('is Secure and belongs to this host alone where PUBLIC_URL is https', async () => {
    vi.stubEnv('PUBLIC_URL', 'https://keys.example.com');
    await setHostCookie(cookie, 'value', 60);
    expect(set).toHaveBeenLastCalledWith('__Host-session', 'value', {
      ...attributes,
      secure: true,
      maxAge: 60,
    });
    await clearHostCookie(cookie);
    expect(set).toHaveBeenLastCalledWith('__Host-session', '', {
      ...attributes,
      secure: true,
      maxAge: 0,
    });
  });

  test('is sent over http as well where PUBLIC_URL is http', async () => {
    vi.stubEnv('PUBLIC_URL', 'http://localhost:3000');
    await setHostCookie(cookie, 'value', 60);
    expect(set).toHaveBeenLastCalledWith('session', 'value', {
      ...attributes,
      secure: false,
      maxAge: 60,
    });
  });
});
