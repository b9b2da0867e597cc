import { expect } from '@playwright/test';
import type { APIRequestContext, APIResponse, Cookie } from '@playwright/test';
import { readData } from 'conversation-service-playwright-kit';
import { test } from '../fixtures.ts';
import { addAccounts } from '../pages/people/members.ts';
import { actionIds } from '../helpers/action-ids.ts';

/** The actions that can be called without a session. */
const forAnyone = [
  'signIn',
  'finishSignIn',
  'startPasskeySignIn',
  'openLink',
  'checkSetUpToken',
  'setUp',
  'requestPasswordReset',
  'checkPasswordReset',
  'finishPasswordReset',
  'checkInvitation',
  'acceptInvitation',
  // Called by someone who is signed in, but perhaps a member of no account: only the service
  // knows.
  'joinAccount',
  'searchDesk',
  'findToken',
  'reportUnknownLeak',
  'checkEmailConfirmation',
  'confirmEmail',
  'checkEmailRevocation',
  'revokeEmailChange',
  'confirmWebhookContact',
];

/** These read nothing that is sent. */
const withoutArguments = [
  'startPasskeySignIn',
  'checkSetUpToken',
  'checkPasswordReset',
  'checkInvitation',
  'checkEmailConfirmation',
  'confirmEmail',
  'checkEmailRevocation',
  'revokeEmailChange',
];

/** Any action can be called on any page, and even on a path without a page, but not on that of a file. */
const paths = [
  '/',
  '/sign-in',
  'settings/api-keys',
  '/settings/api-keys',
  '/nothing/here',
  'data/listWebhooks',
];

test('a call of more than 64 KiB is refused on every path, with and without a session', async ({
  request,
  session,
}) => {
  const { setUp = '' } = await actionIds();
  for (const path of paths) {
    for (const cookies of [[], session]) {
      const response = await call(request, { id: setUp, path, cookies, body: 'x'.repeat(65_537) });
      expect(response.status(), path).toBe(413);
    }
  }
});

test('no action runs at the path of a file', async ({ request, session }) => {
  const { setUp = '' } = await actionIds();
  for (const path of ['/icon.svg', '/favicon.ico', '/service-worker.js', '/icon.svgx']) {
    const response = await call(request, { id: setUp, path, cookies: session, body: '[]' });
    expect(response.status(), path).toBe(405);
  }
});

test('the image optimizer is off: no image is resized or cached', async ({ request }) => {
  const url = encodeURIComponent('/favicon.ico#made-up');
  expect((await request.get(`/_next/image?url=${url}&w=64&q=75`)).status()).toBe(404);
});

test('an action that needs no session accepts at most 16 KiB', async ({ request }) => {
  const ids = await actionIds();
  for (const name of forAnyone.filter((each) => !withoutArguments.includes(each))) {
    const body = JSON.stringify(['x'.repeat(20_000)]);
    const response = await call(request, { id: ids[name] ?? '', path: '/sign-in', body });
    expect(await response.text(), name).toContain('"code":"PAYLOAD_TOO_LARGE"');
  }
});

test('any other action says that nobody is signed in before it looks at its arguments', async ({
  request,
}) => {
  const ids = await actionIds();
  const others = Object.keys(ids).filter((name) => !forAnyone.includes(name));
  expect(others.length).toBeGreaterThan(20);
  for (const name of others) {
    const wrong = JSON.stringify([{ wrong: 'x'.repeat(1000) }, ['wrong']]);
    const response = await call(request, { id: ids[name] ?? '', path: '/sign-in', body: wrong });
    expect(await response.text(), name).toContain('"code":"UNAUTHORIZED"');
  }
});

test('every action refuses invalid arguments with a message, and never with a 500', async ({
  request,
}) => {
  const ids = await actionIds();
  const unreadable = ['', '[', 'null', '{"length":100000000}', '["$1"]', '["$h1"]', '["$0:0"]'];
  unreadable.push(`${'['.repeat(20_000)}${']'.repeat(20_000)}`);
  for (const body of unreadable) {
    const response = await call(request, { id: ids['signIn'] ?? '', path: '/sign-in', body });
    expect(response.status(), body.slice(0, 50)).toBe(422);
    expect(await response.json()).toMatchObject({ error: { code: 'VALIDATION_ERROR' } });
  }
  const odd = '[null,"$undefined",{"then":"$$","a":{"b":[]},"c":"$0:2:a:b"},[[]],"$NaN"]';
  for (const [name, id] of Object.entries(ids)) {
    const response = await call(request, { id, path: '/sign-in', body: odd });
    expect(response.status(), name).toBe(200);
  }
});

test('an action acts in the account of the page that it is called on, even if another page contains the action', async ({
  api,
  named,
  request,
  service,
  session,
}) => {
  const { createApiKey: id = '' } = await actionIds();
  const [other = ''] = await addAccounts(service, { names: ['Other'], owner: service.owner });
  const name = named('Called');
  for (const page of ['settings/webhooks', 'settings/api-keys/new']) {
    const body = JSON.stringify([
      { body: { name, type: 'bot' }, idempotencyKey: crypto.randomUUID() },
    ]);
    const path = `/a/${other}/${page}`;
    const text = await (await call(request, { id, path, cookies: session, body })).text();
    expect(text.includes('sk_live_'), page).toBe(true);
  }
  const inOther = await request.get(`/a/${other}/data/listApiKeys`, {
    headers: { Cookie: cookieHeader(session), 'Sec-Fetch-Site': 'same-origin' },
  });
  const data = await readData<{ name: string }[]>(inOther);
  expect(data.map((key) => key.name)).toEqual([name, name]);
  expect(await (await api.get('/api/v1/api-keys')).text()).not.toContain(name);
});

test('what Next logs about a call is a line of JSON, as in the rest of the log', async ({
  request,
  service,
}) => {
  const response = await call(request, { id: '7f'.repeat(21), path: '/sign-in', body: '[]' });
  expect(response.status()).toBeLessThan(500);
  const entries = () => {
    const [, log = ''] = service.server.output().split(/^Ready: [^]*?\n\n/m) ?? [];
    const lines = log.split('\n').filter((line) => line !== '');
    return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  };
  // The line comes from the process that renders pages, and may be later than the response.
  await expect
    .poll(entries)
    .toContainEqual(
      expect.objectContaining({ source: 'console', msg: expect.stringContaining('Server Action') }),
    );
});

type ActionCall = { id: string; path: string; body: string; cookies?: Cookie[] };

async function call(
  request: APIRequestContext,
  { id, path, body, cookies = [] }: ActionCall,
): Promise<APIResponse> {
  return await request.post(path, {
    headers: {
      'Next-Action': id,
      'Content-Type': 'text/plain;charset=UTF-8',
      'Sec-Fetch-Site': 'same-origin',
      Accept: 'text/x-component',
      Cookie: cookieHeader(cookies),
    },
    data: body,
    maxRedirects: 0,
  });
}

function cookieHeader(cookies: readonly Cookie[]): string {
  return cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
}
