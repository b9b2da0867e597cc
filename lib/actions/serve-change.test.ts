import { createServer } from 'node:http';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { inRequest } from '../testing/fake-next-headers.ts';
import { listenOnLoopback, portOf } from '../testing/loopback.ts';
import { sessionOf } from '../testing/session.ts';
import { type GivenChange, type TriedChange, serveChange } from './serve-change.ts';

const uuid = '0b2f4c52-6f3a-4a57-9d0e-1f2a3b4c5d6e';

/** The calls that the service got, with the account of each. */
let asked: string[];
/** How the service responds to a change. */
let answer: { status: number; body?: object };

const service = createServer((call, response) => {
  const account = String(call.headers['x-dashboard-account']);
  const isSession = call.url === '/api/dashboard/session';
  if (!isSession) asked.push(`${call.method} ${call.url} in ${account}`);
  const { status, body } = isSession
    ? { status: 200, body: { success: true, data: sessionOf(uuid) } }
    : answer;
  response.writeHead(status, { 'X-Request-Id': 'the-request' }).end(body && JSON.stringify(body));
});

beforeAll(async () => await listenOnLoopback(service));
afterAll(() => service.close().closeAllConnections());
beforeEach(() => {
  asked = [];
  answer = { status: 200, body: { success: true, data: {} } };
  vi.stubEnv('API_BASE_URL', `http://127.0.0.1:${portOf(service)}`);
  vi.stubEnv('DASHBOARD_CREDENTIAL', 'the-credential');
});

async function tryChange(
  name: string,
  given: Partial<GivenChange>,
  { site = 'same-origin', token = 'a-session' } = {},
): Promise<Response> {
  const headers = new Headers({ 'x-page-path': `/a/${uuid}/data/${name}`, 'sec-fetch-site': site });
  const request = new Request(`http://localhost:3000/a/${uuid}/data/${name}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(given),
  });
  const cookies = new Map([['session', token]]);
  return await inRequest({ headers, cookies }, () => serveChange(request, name));
}

async function triedWith(given: Partial<GivenChange>, name = 'pauseApiKey'): Promise<TriedChange> {
  return (await (await tryChange(name, given)).json()) as TriedChange;
}

const pause = { person: uuid, input: { params: { apiKey: uuid } } };

test('a change is made in the account of the address, and the response is that of the service', async () => {
  answer = { status: 403, body: forbidden };
  expect(await triedWith(pause)).toEqual({
    result: {
      ok: false,
      code: 'FORBIDDEN',
      message: forbidden.error.message,
      requestId: 'the-request',
    },
    response: { status: 403, text: JSON.stringify(forbidden), requestId: 'the-request' },
  });
  expect(asked).toEqual([`POST /api/v1/api-keys/${uuid}/pause in ${uuid}`]);
});

test('a change without a response body is done', async () => {
  answer = { status: 204 };
  const given = { person: uuid, input: { params: { apiKey: uuid, token: '7' } } };
  expect(await triedWith(given, 'endToken')).toEqual({
    result: { ok: true },
    response: { status: 204, text: '', requestId: 'the-request' },
  });
});

test('what the contract does not allow is refused as the service would, without a call', async () => {
  const { result, response } = await triedWith({ person: uuid, input: { params: {} } });
  expect(result).toMatchObject({ ok: false, code: 'VALIDATION_ERROR' });
  expect(response.status).toBe(422);
  expect(JSON.parse(response.text)).toMatchObject({
    success: false,
    error: { code: 'VALIDATION_ERROR', details: { apiKey: expect.any(Array) } },
  });
  expect(asked).toEqual([]);
});

test('nothing is done for someone else than the page was made for', async () => {
  const other = '5f0c1d8e-9a3b-4c7d-8e2f-0a1b2c3d4e5f';
  const { result, response } = await triedWith({ ...pause, person: other });
  expect(result).toMatchObject({ ok: false, code: 'FORBIDDEN' });
  expect(response.text).toContain('Someone else signed in');
  expect(asked).toEqual([]);
});

test.each([
  'rotateApiKey',
  'createApiKey',
  'createConversation',
  'getApiKey',
  'signOut',
  'constructor',
])('%s cannot be tried as a change', async (name) => {
  expect((await tryChange(name, pause)).status).toBe(404);
  expect(asked).toEqual([]);
});

test('a change is refused to another site', async () => {
  expect((await tryChange('pauseApiKey', pause, { site: 'same-site' })).status).toBe(403);
  expect(asked).toEqual([]);
});

const forbidden = {
  success: false,
  error: {
    code: 'FORBIDDEN',
    message: 'Your role does not allow this.',
    reason: 'role',
    doc_url: 'https://keys.example.com/docs/errors/role',
  },
};
