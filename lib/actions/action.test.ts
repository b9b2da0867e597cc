import { createServer } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { routes } from '../contract/routes.ts';
import { inRequest } from '../testing/fake-next-headers.ts';
import { listenOnLoopback, portOf } from '../testing/loopback.ts';
import { sessionOf } from '../testing/session.ts';
import type { ActionResult } from './action-result.ts';
import { action } from './action.ts';
import { rotateApiKey, updateApiKey } from './api-keys.ts';
import { requestPasswordReset, signIn } from './people/signing-in.ts';
import { searchDesk } from './support-desk.ts';

const uuid = '0b2f4c52-6f3a-4a57-9d0e-1f2a3b4c5d6e';
const rotation = { params: { apiKey: uuid }, body: {}, idempotencyKey: 'once' };

/** The calls that the service got. */
let asked: string[];
/** Whether the session has ended. */
let isEnded: boolean;

const service = createServer((call, response) => {
  asked.push(`${call.method} ${call.url} ${call.headers['idempotency-key'] ?? ''}`.trim());
  const isSession = call.url === '/api/dashboard/session';
  response.writeHead(isSession && isEnded ? 401 : isSession ? 200 : 201);
  const data = isSession
    ? sessionOf(uuid)
    : { token: `sk_live_${'a'.repeat(38)}`, message: 'Rotated.' };
  response.end(JSON.stringify(isEnded ? {} : { success: true, data }));
});

beforeAll(async () => await listenOnLoopback(service));
afterAll(() => service.close().closeAllConnections());
beforeEach(() => {
  asked = [];
  isEnded = false;
  vi.stubEnv('API_BASE_URL', `http://127.0.0.1:${portOf(service)}`);
  vi.stubEnv('DASHBOARD_CREDENTIAL', 'the-credential');
});

async function fromBrowser<Result>(
  act: () => Promise<Result>,
  { site = 'same-origin', cookies = new Map([['session', 'a-session']]) } = {},
): Promise<Result> {
  const headers = new Headers({ 'x-page-path': `/a/${uuid}/settings/api-keys` });
  headers.set('sec-fetch-site', site);
  return await inRequest({ headers, cookies }, act);
}

test('an action calls its route with the whole input, and returns the response of the contract', async () => {
  expect(await fromBrowser(() => rotateApiKey(rotation))).toEqual({
    ok: true,
    success: true,
    data: { token: `sk_live_${'a'.repeat(38)}`, message: 'Rotated.' },
  });
  expect(asked).toEqual([
    'GET /api/dashboard/session',
    `POST /api/v1/api-keys/${uuid}/rotate once`,
  ]);
});

test('an action refuses a call from another site before it reads anything', async () => {
  await expect(fromBrowser(() => rotateApiKey(rotation), { site: 'same-site' })).rejects.toThrow(
    'called from another site',
  );
  expect(asked).toEqual([]);
});

test.each([
  ['nobody is signed in', new Map<string, string>(), []],
  ['the session has ended', new Map([['session', 'old']]), ['GET /api/dashboard/session']],
])('if %s, an action says so, and does not read its input', async (_what, cookies, calls) => {
  isEnded = true;
  const result = await fromBrowser(() => rotateApiKey({ ...rotation, body: wrong }), { cookies });
  expect(result).toMatchObject({ ok: false, code: 'UNAUTHORIZED' });
  expect(asked).toEqual(calls);
});

test.each<[name: string, act: () => Promise<ActionResult>]>([
  ['requestPasswordReset', () => requestPasswordReset({ body: { email: large } })],
  ['searchDesk', () => searchDesk({ body: { search: large } })],
])('%s, which needs no account, refuses more than 16 KiB before it reads it', async (_, act) => {
  expect(await fromBrowser(act)).toMatchObject({ ok: false, code: 'PAYLOAD_TOO_LARGE' });
  expect(asked).toEqual([]);
});

describe('an action refuses input that the contract does not allow, and calls nothing', () => {
  test.each<[what: string, input: unknown, field: string]>([
    ['a parameter that is a number', { ...rotation, params: { apiKey: 7 } }, 'apiKey'],
    ['a parameter that is a list', { ...rotation, params: { apiKey: [uuid] } }, 'apiKey'],
    [
      'a parameter that is an object',
      { ...rotation, params: { apiKey: { toString: 1 } } },
      'apiKey',
    ],
    ['no parameter', { ...rotation, params: {} }, 'apiKey'],
    ['one dot', { ...rotation, params: { apiKey: '.' } }, 'apiKey'],
    ['two dots', { ...rotation, params: { apiKey: '..' } }, 'apiKey'],
    ['an empty parameter', { ...rotation, params: { apiKey: '' } }, 'apiKey'],
    ['a long parameter', { ...rotation, params: { apiKey: 'x'.repeat(65) } }, 'apiKey'],
    ['another parameter', { ...rotation, params: { apiKey: uuid, webhook: uuid } }, 'params'],
    ['a line feed in the key', { ...rotation, idempotencyKey: 'a\nX-Other: b' }, 'idempotencyKey'],
    ['a carriage return in the key', { ...rotation, idempotencyKey: 'a\r' }, 'idempotencyKey'],
    ['no idempotency key', { params: rotation.params, body: {} }, 'idempotencyKey'],
    ['an unknown field', { ...rotation, body: { reason: 'x' } }, 'body'],
    ['another part', { ...rotation, account: uuid }, 'body'],
    ['no object', 'rotate', 'body'],
    ['a wrong field', { ...rotation, body: wrong }, 'grace_period_seconds'],
  ])('%s', async (_what, input, field) => {
    const result = await fromBrowser(() => rotateApiKey(input as typeof rotation));
    expect(result).toMatchObject({ ok: false, code: 'VALIDATION_ERROR' });
    expect(Object.keys((!result.ok && result.details) || {})).toEqual([field]);
    expect(asked).toEqual(['GET /api/dashboard/session']);
  });
});

test.each([null, 'text', 7, [], { body: null }, { body: 'text' }, { body: [] }])(
  'an action that adds tokens of cookies to its body refuses %j as input',
  async (input) => {
    const result = await fromBrowser(() =>
      signIn(input as unknown as Parameters<typeof signIn>[0]),
    );
    expect(result).toMatchObject({ ok: false, code: 'VALIDATION_ERROR' });
    expect(asked).toEqual([]);
  },
);

test('a parameter with a slash stays within its part of the path', async () => {
  await fromBrowser(() => updateApiKey({ params: { apiKey: '../webhooks' }, body: { name: 'x' } }));
  expect(asked.at(-1)).toBe('PATCH /api/v1/api-keys/..%2Fwebhooks');
});

/** `@ts-expect-error` fails the compilation if there is no error. */
test('an action takes the routes of the dashboard, and their input, by their types', () => {
  // @ts-expect-error only keys call this route
  action(routes.createConversation);
  expect(() => {
    // @ts-expect-error the idempotency key is required
    void (() => rotateApiKey({ params: { apiKey: uuid }, body: {} }));
    // @ts-expect-error no such field
    void (() => rotateApiKey({ ...rotation, body: { reason: 'x' } }));
    // @ts-expect-error no such parameter
    void (() => rotateApiKey({ ...rotation, params: { webhook: uuid } }));
  }).not.toThrow();
});

const wrong = { grace_period_seconds: -1 };
const large = 'x'.repeat(16_385);
