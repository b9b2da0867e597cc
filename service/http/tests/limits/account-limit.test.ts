import { describe, expect, test } from 'vitest';
import { dataOf } from '../../../testing/api.ts';
import type { ApiResponse, TestAccount } from '../../../testing/api.ts';
import { useApiListener } from '../../../testing/http/api-listener.ts';
import { useApi } from '../../../testing/use-api.ts';

/** Over a real socket, with low limits: 20 calls a minute for a key and 60 for an account. */
const perKey = 20;
const perAccount = 60;

/** A call that counts like any other and reads nothing. */
const cheapPath = '/api/v1/nothing';

const { ctx, api, account } = useApi({
  accountFor: 'test',
  config: { rateLimitPerMinute: perKey, accountRateLimitPerMinute: perAccount },
});
const listener = useApiListener(ctx, api);

describe('all keys of an account together', () => {
  test('have one limit, which a key that creates 20 keys cannot exceed while its owner revokes them', async () => {
    const minter = await account.key();
    const minted = [];
    for (let made = 1; made <= 19; made += 1) {
      const response = await ask('POST', '/api/v1/api-keys', {
        token: minter.token,
        body: { name: `Minted ${made}`, type: 'full' },
      });
      expect(response.status).toBe(201);
      minted.push(dataOf(response));
    }
    const statuses = [];
    for (const { token } of [minter, ...minted]) {
      for (let call = 1; call <= 4; call += 1) {
        statuses.push((await ask('GET', '/api/v1/webhooks', { token: String(token) })).status);
      }
    }
    const served = perAccount - minted.length;
    expect(statuses.toSorted((a, b) => a - b)).toEqual(
      statuses.map((_, index) => (index < served ? 200 : 429)),
    );

    const owner = await account.member('owner');
    const [one, other] = minted.map(({ id }) => `/api/v1/api-keys/${id}`);
    expect((await askAs(owner, 'GET', '/api/v1/api-keys')).status).toBe(200);
    expect((await askAs(owner, 'DELETE', `${one}`)).status).toBe(204);
    expect((await askAs(owner, 'POST', `${other}/rotate`)).status).toBe(201);
  }, 60_000);

  test('can still revoke and rotate when the limit is used up, each within its own limit', async () => {
    const [victim, leaked, steward] = [
      await account.key(),
      await account.key(),
      await account.key(),
    ];
    await useUp(account);
    const token = steward.token;
    const refused = await ask('GET', '/api/v1/api-keys', { token });
    expect(refused.status).toBe(429);

    const rotated = await ask('POST', `/api/v1/api-keys/${victim.id}/rotate`, { token });
    expect(rotated.status).toBe(201);
    expect(rotated.headers.get('RateLimit')).toBe(`"default";r=${perKey - 1};t=60`);
    const previous = `/api/v1/api-keys/${victim.id}/previous-token`;
    expect((await ask('DELETE', previous, { token })).status).toBe(204);
    const revoke = () => ask('DELETE', `/api/v1/api-keys/${leaked.id}`, { token });
    for (let call = 3; call <= perKey; call += 1) expect((await revoke()).status).toBe(204);
    expect((await revoke()).status).toBe(429);
  });

  test('do not use up the limit of another account', async () => {
    await useUp(account);
    const other = await (await api.account()).key();
    expect((await ask('GET', '/api/v1/webhooks', other)).status).toBe(200);
  });

  test('are allowed again when the window ends, even if they never stop calling', async () => {
    await useUp(account);
    const key = await account.key();
    const statuses = [];
    for (let second = 1; second <= 60; second += 1) {
      ctx.clock.advance(1000);
      statuses.push((await ask('GET', cheapPath, key)).status);
    }
    expect(statuses).toEqual([...Array.from({ length: 59 }, () => 429), 404]);
  });
});

describe('a leaked token that is used from outside its networks', () => {
  const callFrom = async (address: string, { token }: { token: string }) =>
    await api.call('GET', '/api/v1/webhooks', { token, headers: { 'x-client-address': address } });

  test('takes nothing from the limits of its key and its account, and has a limit for each address', async () => {
    const keys = [];
    for (let made = 0; made < 4; made += 1) {
      keys.push(await account.key({ allowedCidrs: ['203.0.113.0/24'] }));
    }
    for (const key of keys) {
      for (let call = 1; call <= perKey; call += 1) {
        const refused = await callFrom('198.51.100.9', key);
        expect(refused.status).toBe(403);
        expect(headersOf(refused)).toEqual([
          `"default";q=${perKey};w=60`,
          `"default";r=${perKey - call};t=60`,
        ]);
      }
      expect((await callFrom('198.51.100.9', key)).status).toBe(429);
      expect((await callFrom('198.51.100.10', key)).status).toBe(403);

      const served = await callFrom('203.0.113.7', key);
      expect(served.status).toBe(200);
      expect(served.headers.get('RateLimit')).toBe(`"default";r=${perKey - 1};t=60`);
    }
  });
});

describe('RateLimit and RateLimit-Policy', () => {
  test('show the key’s limit or the account’s, whichever has less left', async () => {
    const keys = [];
    for (let made = 0; made < 3; made += 1) keys.push(await account.key());
    const [first, ...others] = keys;
    expect(headersOf(await ask('GET', cheapPath, first))).toEqual([
      '"default";q=20;w=60',
      '"default";r=19;t=60',
    ]);
    for (const key of others) {
      for (let call = 0; call < perKey; call += 1) await ask('GET', cheapPath, key);
    }
    ctx.clock.advance(1000);
    const newest = await account.key();
    expect(headersOf(await ask('GET', cheapPath, newest))).toEqual([
      '"account";q=60;w=60',
      '"account";r=18;t=59',
    ]);
  });

  test('show in a 429 the limit that refused, with its Retry-After', async () => {
    await useUp(account);
    ctx.clock.advance(17_000);
    const refused = await ask('GET', '/api/v1/webhooks', await account.key());
    expect(headersOf(refused)).toEqual(['"account";q=60;w=60', '"account";r=0;t=43']);
    expect(refused.headers.get('Retry-After')).toBe('43');
    expect(refused.body).toMatchObject({
      success: false,
      error: {
        code: 'RATE_LIMIT_EXCEEDED',
        message: 'Too many requests. Please slow down.',
        retry_after: 43,
      },
    });
  });
});

function headersOf({ headers }: ApiResponse): (string | null)[] {
  return [headers.get('RateLimit-Policy'), headers.get('RateLimit')];
}

/** Calls with three keys until the account may call no more. */
async function useUp(of: TestAccount): Promise<void> {
  for (let made = 0; made < perAccount / perKey; made += 1) {
    const key = await of.key();
    for (let call = 0; call < perKey; call += 1) {
      expect((await ask('GET', cheapPath, key)).status).toBe(404);
    }
  }
}

async function ask(
  method: string,
  path: string,
  {
    token,
    body,
    headers,
  }: { token?: string; body?: unknown; headers?: Record<string, string> } = {},
): Promise<ApiResponse> {
  return await listener.ask({
    method,
    path,
    headers: {
      Accept: 'application/json',
      Authorization: `Bearer ${token}`,
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...headers,
    },
    body: body === undefined ? null : JSON.stringify(body),
  });
}

/** The request that the dashboard's server sends for a person. */
async function askAs(
  { personId }: { personId: string },
  method: string,
  path: string,
): Promise<ApiResponse> {
  return await ask(method, path, {
    token: ctx.dashboardCredential,
    headers: { 'X-Dashboard-Session': personId },
  });
}
