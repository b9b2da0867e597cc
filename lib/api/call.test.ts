import { once } from 'node:events';
import { createServer } from 'node:http';
import type { RequestListener, Server } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { revokeApiKey } from '../contract/api-keys/api-keys.ts';
import { exportAuditLog } from '../contract/audit-log/audit-log.ts';
import { listMembers } from '../contract/people/members.ts';
import { signIn } from '../contract/people/sign-in.ts';
import { minuteMs } from '../durations.ts';
import { forgetOutage } from '../testing/forget-outage.ts';
import { inRequest } from '../testing/fake-next-headers.ts';
import { listenOnLoopback, portOf } from '../testing/loopback.ts';
import * as client from './call.ts';

let sessionCookie: string;

let respond: RequestListener;
let service: Server;
/** The paths that were requested. */
let asked: string[];

/** The browser's request during which the dashboard calls the service. */
async function fromBrowser<Result>(act: () => Promise<Result>): Promise<Result> {
  const headers = new Headers({
    'x-page-path': '/a/x/settings/webhooks',
    'user-agent': 'Brows\u00FCr',
  });
  return await inRequest({ headers, cookies: new Map([['session', sessionCookie]]) }, act);
}

const request: typeof client.call = async (...args) =>
  await fromBrowser(() => client.call(...args));
const requestStream: typeof client.callStream = async (...args) =>
  await fromBrowser(() => client.callStream(...args));

beforeEach(async () => {
  asked = [];
  sessionCookie = 'session-token';
  service = createServer((call, response) => {
    asked.push(call.url ?? '');
    respond(call, response);
  });
  vi.stubEnv('API_BASE_URL', `http://127.0.0.1:${await listenOnLoopback(service)}`);
  vi.stubEnv('DASHBOARD_CREDENTIAL', 'the-credential');
});
afterEach(() => {
  forgetOutage();
  vi.useRealTimers();
  service.close().closeAllConnections();
});

test.each<[what: string, response: RequestListener, logged: RegExp]>([
  [
    'a redirect, which is not followed',
    (_, response) => response.writeHead(307, { Location: '/elsewhere' }).end(),
    /./,
  ],
  [
    'a response that breaks off',
    (_, response) =>
      response.writeHead(200, { 'Content-Length': 100 }).write('{', () => response.destroy()),
    /\(ECONNRESET\)/,
  ],
  [
    'the response of another server',
    (_, response) => response.writeHead(418).end('<h1>Teapot</h1>'),
    /^The dashboard cannot reach the API at http:\/\/127\.0\.0\.1:\d+ \(another server responded, with status 418\)\. .* API_BASE_URL\.$/,
  ],
])('%s counts as UNAVAILABLE, and the log says why', async (_what, response, logged) => {
  const log = vi.spyOn(console, 'error').mockReturnValue();
  respond = response;
  await expect(request(listMembers, {})).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  expect(asked).toHaveLength(1);
  expect(log).toHaveBeenCalledExactlyOnceWith(expect.stringMatching(logged));
});

test('the body of a DELETE arrives, and the user agent with its umlaut', async () => {
  const received = Promise.withResolvers<string>();
  let browser: unknown;
  respond = (call, response) => {
    browser = call.headers['x-dashboard-client'];
    text(call).then(received.resolve, received.reject);
    response.writeHead(204).end();
  };
  const body = { reason: 'It leaked: \u20AC' };
  await request(revokeApiKey, { params: { apiKey: '7' }, body });
  expect(JSON.parse(await received.promise)).toEqual(body);
  expect(browser).toBe('0.0.0.0 Brows\u00FCr');
});

test.each(['a\nb', '\u20AC', ''])('the session cookie %j is ignored', async (cookie) => {
  sessionCookie = cookie;
  await expect(request(listMembers, {})).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  expect(asked).toHaveLength(0);
});

test('an error has the message of the service and the id of the request', async () => {
  const error = { code: 'RATE_LIMIT_EXCEEDED', message: 'Slow down.', retry_after: 7 };
  respond = (_, response) => {
    response.writeHead(429, { 'X-Request-Id': 'req-1' });
    response.end(JSON.stringify({ success: false, error }));
  };
  await expect(request(listMembers, {})).rejects.toMatchObject({
    status: 429,
    code: 'RATE_LIMIT_EXCEEDED',
    retryAfter: 7,
    requestId: 'req-1',
  });
});

test('a dashboard that the service refuses says so to the person and in the log', async () => {
  const log = vi.spyOn(console, 'error').mockReturnValue();
  const error = { code: 'UNAUTHORIZED', message: 'Invalid or revoked API key' };
  respond = (_, response) => {
    response.writeHead(401).end(JSON.stringify({ success: false, error }));
  };
  const body = { email: 'ida@example.com', password: 'a long enough one' };
  await expect(request(signIn, { body })).rejects.toMatchObject({
    code: 'UNAUTHORIZED',
    message:
      'The service does not accept this dashboard. Ask its operator to check the log for the reason.',
  });
  expect(log).toHaveBeenCalledExactlyOnceWith(
    'The service refused DASHBOARD_CREDENTIAL. Set the same one for processes with web and processes with api.',
  );

  await expect(request(listMembers, {})).rejects.toMatchObject({ message: error.message });
});

test('a streamed response arrives in parts, and cancelling its reader ends it at the service', async () => {
  const ended = Promise.withResolvers<void>();
  respond = (_, response) => {
    response.on('close', () => ended.resolve());
    response.writeHead(200, { 'Content-Type': 'text/csv' }).write('first line\n');
  };
  const { body, headers } = await requestStream(
    exportAuditLog,
    { query: { format: 'csv' } },
    new AbortController().signal,
  );
  expect(headers.get('Content-Type')).toBe('text/csv');
  const reader = body?.getReader();
  expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe('first line\n');
  await reader?.cancel();
  await ended.promise;
});

test('aborting a streamed response ends it at the service', async () => {
  const ended = Promise.withResolvers<void>();
  respond = (_, response) => {
    response.on('close', () => ended.resolve());
    response.writeHead(200, { 'Content-Type': 'text/csv' }).write('first line\n');
  };
  const leaving = new AbortController();
  const { body } = await requestStream(
    exportAuditLog,
    { query: { format: 'csv' } },
    leaving.signal,
  );
  leaving.abort();
  await ended.promise;
  await expect(body?.getReader().read()).rejects.toThrow();
});

test('while the service cannot be reached, the log names API_BASE_URL and its host once a minute, and then says that it works again', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const log = vi.spyOn(console, 'error').mockReturnValue();
  const info = vi.spyOn(console, 'info').mockReturnValue();
  respond = (_, response) => {
    response
      .writeHead(200, { Connection: 'close' })
      .end(JSON.stringify({ success: true, data: [] }));
  };
  const list = async () => await request(listMembers, {}).catch(() => undefined);
  await list();
  const port = portOf(service);
  vi.stubEnv('API_BASE_URL', `http://admin:hunter2@127.0.0.1:${port}`);
  service.close();
  await once(service, 'close');
  await list();
  await list();
  expect(log).toHaveBeenCalledExactlyOnceWith(
    `The dashboard cannot reach the API at http://127.0.0.1:${port} (ECONNREFUSED). Check that the API runs there, or correct API_BASE_URL.`,
  );
  vi.advanceTimersByTime(minuteMs);
  await list();
  expect(log).toHaveBeenCalledTimes(2);
  expect(info).not.toHaveBeenCalled();

  await once(service.listen(port, '127.0.0.1'), 'listening');
  await list();
  await list();
  expect(info).toHaveBeenCalledExactlyOnceWith('The dashboard reaches the API again.');
  expect(log).toHaveBeenCalledTimes(2);
});

test('while the service responds that it is not available, the log says so once a minute', async () => {
  const log = vi.spyOn(console, 'error').mockReturnValue();
  const info = vi.spyOn(console, 'info').mockReturnValue();
  let isAvailable = false;
  respond = (_, response) => {
    const error = { code: 'UNAVAILABLE', message: 'The service is not available right now.' };
    const body = isAvailable ? { success: true, data: [] } : { success: false, error };
    response.writeHead(isAvailable ? 200 : 503).end(JSON.stringify(body));
  };
  const list = async () => await request(listMembers, {});
  await expect(list()).rejects.toMatchObject({ code: 'UNAVAILABLE', isLogged: true });
  await expect(list()).rejects.toMatchObject({ code: 'UNAVAILABLE', isLogged: true });
  expect(log).toHaveBeenCalledExactlyOnceWith(
    expect.stringMatching(
      /^The API at http:\/\/127\.0\.0\.1:\d+ responded with 503, not available\. Check its log\.$/,
    ),
  );
  isAvailable = true;
  await list();
  expect(info).toHaveBeenCalledOnce();
});

test('a reader who leaves before the response is not reported as an outage', async () => {
  const log = vi.spyOn(console, 'error').mockReturnValue();
  const leaving = new AbortController();
  respond = () => leaving.abort();
  await expect(
    requestStream(exportAuditLog, { query: { format: 'csv' } }, leaving.signal),
  ).rejects.toMatchObject({ code: 'UNAVAILABLE', isLogged: false });
  expect(log).not.toHaveBeenCalled();
});
