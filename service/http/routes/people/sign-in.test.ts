import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { dayMs } from '#lib/durations.ts';
import type { Device } from '../../../auth/device-tokens.ts';
import { limitSignIn } from '../../../domain/people/sign-in/limit-sign-in.ts';
import { resetAccess } from '../../../domain/people/members/operator/reset-access.ts';
import { dataOf, TestApi } from '../../../testing/api.ts';
import type { ApiResponse } from '../../../testing/api.ts';
import { addAccount, addMember, addPerson } from '../../../testing/records/people.ts';
import { useApi } from '../../../testing/use-api.ts';

/** A time limit for a test with a thousand calls, on a machine that is busy. */
const many = { timeout: 60_000 };
const password = 'correct horse battery';
const wrong = 'incorrect horse battery';

const { ctx, api } = useApi();
let passwordHash: string;
let email: string;
let addresses = 0;

beforeAll(async () => {
  passwordHash = await ctx.auth.hashPassword(password);
});

beforeEach(async () => {
  email = await addOwner();
});

async function addOwner(address = `ann-${crypto.randomUUID()}@example.com`): Promise<string> {
  const person = await addPerson(ctx, { email: address, passwordHash });
  await addMember(ctx, { accountId: await addAccount(ctx), personId: person.id, role: 'owner' });
  return address;
}

/** An address from which nobody has called before. */
function newAddress(): string {
  addresses += 1;
  return `10.${addresses >> 16}.${(addresses >> 8) & 255}.${addresses & 255}`;
}

type Attempt = { email?: string; password?: string; from?: string; device?: string };

/** The body that the dashboard's server sends when someone signs in. */
async function tryToSignIn(attempt: Attempt = {}, on = api): Promise<ApiResponse> {
  const { device } = attempt;
  const body = {
    email: attempt.email ?? email,
    password: attempt.password ?? password,
    ...(device !== undefined && { device_token: device }),
  };
  const headers = { 'X-Dashboard-Client': `${attempt.from ?? newAddress()} Firefox` };
  return await on.asNobody().post('/api/dashboard/session', body, headers);
}

/** Counts tries without making them, each from another address unless told otherwise. */
async function countTries(
  times: number,
  options: { email?: string; ip?: string; device?: Device | null } = {},
): Promise<void> {
  for (let time = 0; time < times; time += 1) {
    const origin = { ip: options.ip ?? newAddress() };
    await limitSignIn(ctx, { email, device: null, ...options, origin });
  }
}

/** Counts as many tries for an email as all addresses together have in an hour. */
async function useUpTries(of = email): Promise<void> {
  await countTries(100, { email: of });
}

function deviceOf(response: ApiResponse): string {
  expect(response.status).toBe(201);
  return dataOf<{ device_token: string }>(response).device_token;
}

async function newDevice(): Promise<string> {
  return deviceOf(await tryToSignIn());
}

function retryAfter(response: ApiResponse): number {
  expect(response.status).toBe(429);
  const { error } = response.body as { error: { code: string; retry_after: number } };
  expect(error.code).toBe('RATE_LIMIT_EXCEEDED');
  expect(response.headers.get('retry-after')).toBe(String(error.retry_after));
  return error.retry_after;
}

describe('guesses from elsewhere', () => {
  test(
    'a thousand at the same time do not lock the owner out of a device they use',
    many,
    async () => {
      const device = await newDevice();
      let checked = 0;
      const findByPassword = async () => {
        checked += 1;
        return null;
      };
      // The same service and limits, except that every password is wrong and none is hashed.
      const elsewhere = new TestApi({ ...ctx, auth: { ...ctx.auth, findByPassword } });
      const flood = Array.from({ length: 1000 }, () => tryToSignIn({ password: wrong }, elsewhere));
      expect((await tryToSignIn({ device })).status).toBe(201);

      const responses = await Promise.all(flood);
      const refused = responses.filter(({ status }) => status !== 422);
      expect(refused).toHaveLength(900);
      for (const response of refused) expect(retryAfter(response)).toBeGreaterThan(3000);
      // Refusals happen before any password is hashed.
      expect(checked).toBe(100);

      expect(retryAfter(await tryToSignIn())).toBeGreaterThan(3000);
      expect((await tryToSignIn({ device })).status).toBe(201);
    },
  );

  test('ten do not lock the owner out of a device they never used', async () => {
    expect((await tryToSignIn({ password: wrong, from: '203.0.113.99' })).status).toBe(422);
    await countTries(9, { ip: '203.0.113.99' });
    expect(retryAfter(await tryToSignIn({ from: '203.0.113.99' }))).toBeLessThanOrEqual(60);
    expect((await tryToSignIn()).status).toBe(201);
  });

  test('for an email that nobody has get the same responses as for one that someone has', async () => {
    const told = [];
    for (const address of [email, `nobody-${email}`]) {
      const attempt = { email: address, password: wrong };
      const first = await tryToSignIn(attempt);
      await countTries(99, { email: address });
      const last = await tryToSignIn(attempt);
      told.push([first, last].map(({ status, text }) => [status, text]));
    }
    expect(told[0]).toEqual(told[1]);
    expect(told[0]?.map(([status]) => status)).toEqual([422, 429]);
  });

  test('for one email are counted together however it is written', async () => {
    const kim = await addOwner(`kim-${crypto.randomUUID()}@example.com`);
    await useUpTries(kim);
    // The last begins with the Kelvin sign, whose lower case is a plain k.
    for (const spelling of [kim, kim.toUpperCase(), ` ${kim} `, kim.replace('k', '\u212a')]) {
      expect((await tryToSignIn({ email: spelling })).status).toBe(429);
    }
  });

  test('with the right password do not count', async () => {
    const from = '203.0.113.98';
    await countTries(99);
    expect((await tryToSignIn({ from })).status).toBe(201);
    expect((await tryToSignIn()).status).toBe(201);
    expect((await tryToSignIn({ password: wrong })).status).toBe(422);
    expect((await tryToSignIn({ from })).status).toBe(429);
  });
});

describe('a known device', () => {
  test('has ten tries a minute, and stays known after it signed in again', async () => {
    const device = await newDevice();
    expect((await tryToSignIn({ device, password: wrong })).status).toBe(422);
    await countTries(7, { device: ctx.deviceTokens.read(device) });
    const renewed = deviceOf(await tryToSignIn({ device }));
    expect((await tryToSignIn({ device: renewed })).status).toBe(201);
    expect(retryAfter(await tryToSignIn({ device: renewed }))).toBeLessThanOrEqual(60);
    expect((await tryToSignIn({ device })).status).toBe(429);
    expect((await tryToSignIn()).status).toBe(201);
  });

  test('is known to its person only', async () => {
    const device = await newDevice();
    const other = await addOwner();
    await useUpTries(other);
    expect((await tryToSignIn({ email: other, device })).status).toBe(429);
    expect((await tryToSignIn({ device })).status).toBe(201);
  });

  test('is unknown once the password was changed, except the one where that was done', async () => {
    const signedIn = await tryToSignIn();
    const device = deviceOf(signedIn);
    const data = dataOf<{ session_token: string }>(signedIn);
    await useUpTries();
    const chosen = 'another long password';
    const body = { current_password: password, new_password: chosen };
    const person = api.as({ personId: data.session_token });
    const changed = await person.post('/api/dashboard/password', body);
    expect(changed.status).toBe(200);
    expect((await tryToSignIn({ device, password: chosen })).status).toBe(429);
    const renewed = dataOf<{ device_token: string }>(changed).device_token;
    expect((await tryToSignIn({ device: renewed, password: chosen })).status).toBe(201);
  });

  test('is unknown once an operator reset the access', async () => {
    const device = await newDevice();
    const reset = await resetAccess(ctx, email);
    await useUpTries();
    expect((await tryToSignIn({ device, password: reset?.password ?? '' })).status).toBe(429);
  });

  test('is unknown after 180 days without signing in', async () => {
    const device = await newDevice();
    ctx.clock.advance(179 * dayMs);
    const renewed = deviceOf(await tryToSignIn({ device }));
    ctx.clock.advance(dayMs);
    await useUpTries();
    expect((await tryToSignIn({ device })).status).toBe(429);
    expect((await tryToSignIn({ device: renewed })).status).toBe(201);
  });

  test('cannot be made up: a foreign token counts as none, and is no error', async () => {
    const device = await newDevice();
    const madeUp = ['', `${device}x`, device.toLowerCase(), 'x'.repeat(1024)];
    expect((await tryToSignIn({ device: madeUp[1] ?? '' })).status).toBe(201);
    await useUpTries();
    for (const token of madeUp) expect((await tryToSignIn({ device: token })).status).toBe(429);
  });
});
