import { createServer } from 'node:http';
import type { RequestListener, Server } from 'node:http';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { errorTable } from '../contract/error-codes.ts';
import type { ErrorCode } from '../contract/error-codes.ts';
import { forgetOutage } from '../testing/forget-outage.ts';
import { inRequest } from '../testing/fake-next-headers.ts';
import { listenOnLoopback } from '../testing/loopback.ts';
import { signOut } from './sign-out.ts';

let respond: RequestListener;
let service: Server;

beforeEach(async () => {
  service = createServer((call, response) => respond(call, response));
  vi.stubEnv('API_BASE_URL', `http://127.0.0.1:${await listenOnLoopback(service)}`);
  vi.stubEnv('DASHBOARD_CREDENTIAL', 'the-credential');
});
afterEach(() => {
  forgetOutage();
  service.close().closeAllConnections();
});

test.each(['RATE_LIMIT_EXCEEDED', 'INTERNAL_ERROR', 'UNAVAILABLE', 'FORBIDDEN'] as const)(
  'a sign-out to which the service responds with %s fails, and keeps the cookie',
  async (code) => {
    // An outage is logged.
    vi.spyOn(console, 'error').mockReturnValue();
    respond = refuse(code);
    const { cookies, outcome } = signOutInBrowser();
    await expect(outcome).rejects.toMatchObject({ code });
    expect(cookies.get('session')).toBe('session-token');
  },
);

test('a sign-out from a session that has ended removes the cookie', async () => {
  respond = refuse('UNAUTHORIZED');
  const { cookies, outcome } = signOutInBrowser();
  await outcome;
  expect(cookies.get('session')).toBe('');
});

test.each<[what: string, RequestListener]>([
  ['cannot be reached', (call) => call.socket.destroy()],
  ['is away behind a proxy', (_, response) => response.writeHead(502).end('Bad gateway')],
])('a sign-out while the service %s removes the cookie', async (_, away) => {
  const log = vi.spyOn(console, 'error').mockReturnValue();
  respond = away;
  const { cookies, outcome } = signOutInBrowser();
  await outcome;
  expect(cookies.get('session')).toBe('');
  expect(log).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('API_BASE_URL'));
});

function signOutInBrowser(): { cookies: Map<string, string>; outcome: Promise<void> } {
  const cookies = new Map([['session', 'session-token']]);
  return { cookies, outcome: inRequest({ headers: new Headers(), cookies }, signOut) };
}

function refuse(code: ErrorCode): RequestListener {
  const { status, message } = errorTable[code];
  return (_, response) => {
    response
      .writeHead(status, { 'X-Request-Id': 'a-request' })
      .end(JSON.stringify({ success: false, error: { code, message, retry_after: 60 } }));
  };
}
