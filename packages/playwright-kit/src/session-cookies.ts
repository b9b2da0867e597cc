import type { Cookie } from '@playwright/test';

/** The cookies of a browser after a sign-in, as the dashboard sets them. */
export function sessionCookies(
  origin: string,
  tokens: { session: string; device?: string },
): Cookie[] {
  const { hostname, protocol } = new URL(origin);
  const secure = protocol === 'https:';
  const kept = { domain: hostname, path: '/', httpOnly: true, secure };
  const forADay = { ...kept, expires: Math.floor(Date.now() / 1000) + 86_400 };
  const cookie = (name: string, token: string, sameSite: Cookie['sameSite']): Cookie => ({
    name: secure ? `__Host-${name}` : name,
    value: encodeURIComponent(token),
    sameSite,
    ...forADay,
  });
  return [
    cookie('session', tokens.session, 'Lax'),
    ...(tokens.device === undefined ? [] : [cookie('device', tokens.device, 'Strict')]),
  ];
}
