import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { defaultLookUps } from '../../../domain/api-keys/tokens/token-look-ups.ts';
import { defaultWorkload, Workload } from '../../../domain/capacity/workload.ts';
import { dataOf, itemsOf, nextCursorOf, TestApi } from '../../../testing/api.ts';
import type { ApiResponse, TestAccount } from '../../../testing/api.ts';
import { useContext } from '../../../testing/use-api.ts';
import { newToken } from '../../../tokens/token.ts';

/**
 * A refusal arrives within this time. It is measured by the order of the event loop's timers: a
 * timer that is set later and is longer fires later, however busy the machine is.
 */
const promisedMs = 50;

const ctx = useContext();
let api: TestApi;
let account: TestAccount;
let token: string;

beforeEach(async () => {
  api = new TestApi({ ...ctx, workload: new Workload() });
  account = await api.account();
  token = await usedToken(account);
});

/** Lets the database continue; null while it is not blocked. */
let releaseDatabase: (() => Promise<void>) | null = null;
// After failed tests as well.
afterEach(() => release());

describe('while the database executes nothing', () => {
  test('calls above an account’s limit of calls in progress are refused, and the others are carried out once it does', async () => {
    const path = await messagesPath();
    await holdDatabase();
    const accepted = await underWay(defaultWorkload.maxPerAccount, (number) =>
      call('POST', path, { token, body: { author: 'agent', text: `Accepted ${number}` } }),
    );
    const refused = await Promise.all([
      ...times(20, () => promptly(() => list(token))),
      call('POST', path, { token, body: { author: 'agent', text: 'Refused' } }),
    ]);
    for (const response of refused) {
      expectUnavailable(response);
      expect(response.headers.get('RateLimit')).not.toBeNull();
    }
    expect(accepted.answered).toBe(0);

    await release();
    const responses = await Promise.all(accepted.calls);
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([201]));
    const texts = await textsOf(path);
    expect(texts).toHaveLength(defaultWorkload.maxPerAccount);
    expect(new Set(texts)).toEqual(
      new Set(times(defaultWorkload.maxPerAccount, (number) => `Accepted ${number}`)),
    );
  });

  test('calls with a token that has to be read again are refused too, but revocations are not', async () => {
    const leaked = await account.key();
    await holdDatabase();
    const accepted = await underWay(defaultWorkload.maxPerAccount, () => list(token));
    ctx.clock.advance(60_000);
    const refused = times(20, () => promptly(() => list(token)));
    const revocation = call('DELETE', `/api/v1/api-keys/${leaked.id}`, { token });
    for (const response of await Promise.all(refused)) expectUnavailable(response);

    await release();
    expect((await revocation).status).toBe(204);
    const responses = await Promise.all(accepted.calls);
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
    expect((await list(token)).status).toBe(200);
  });

  test('calls of any account are refused once the process has reached its limit', async () => {
    const tokens = [token, await usedToken(await api.account())];
    const third = await usedToken(await api.account());
    await holdDatabase();
    const accepted = await underWay(defaultWorkload.maxConcurrent, (number) =>
      list(tokens[number % 2] ?? ''),
    );
    expectUnavailable(await promptly(() => list(third)));

    await release();
    const responses = await Promise.all(accepted.calls);
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
    expect((await list(third)).status).toBe(200);
  });

  test('calls with unknown tokens are refused above the number that may wait for one address', async () => {
    await holdDatabase();
    const ask = () =>
      call('GET', '/api/v1/webhooks', {
        token: newToken(),
        headers: { 'x-client-address': '198.51.100.9' },
      });
    const { maxConcurrent, maxQueuedPerKey } = defaultLookUps;
    const waiting = answered(times(maxConcurrent + maxQueuedPerKey, ask));
    await nextTurn();
    for (const response of await Promise.all(times(20, () => promptly(ask)))) {
      expectUnavailable(response);
    }
    expect(waiting.answered).toBe(0);

    await release();
    // After some of them, the address has reached the limit of failed authentications.
    const statuses = new Set((await Promise.all(waiting.calls)).map(({ status }) => status));
    expect(statuses).toEqual(new Set([401, 429]));
  });

  test('calls above a rate limit are refused, with the seconds until the next is allowed', async () => {
    const perMinute = ctx.config.rateLimitPerMinute;
    const nothing = () => call('GET', '/api/v1/nothing', { token });
    await Promise.all(times(perMinute, nothing));
    await holdDatabase();
    for (const response of await Promise.all(times(20, () => promptly(nothing)))) {
      expect(response.status).toBe(429);
      expect(Number(response.headers.get('Retry-After'))).toBeGreaterThan(0);
    }
    await release();
  });
});

function expectUnavailable({ status, headers, body }: ApiResponse): void {
  expect(status).toBe(503);
  expect(headers.get('Retry-After')).toBe('2');
  expect(body).toMatchObject({ success: false, error: { code: 'UNAVAILABLE' } });
}

/** Returns the response, which must arrive before a timer of the promised time fires. */
async function promptly(ask: () => Promise<ApiResponse>): Promise<ApiResponse> {
  const response = ask();
  // So that the call’s own timers are set first.
  await nextTurn();
  const promised = AbortSignal.timeout(promisedMs);
  await response;
  expect(promised.aborted, 'the promised time is over').toBe(false);
  return await response;
}

/** Makes every statement wait until `release` is called: PGlite has one connection. */
async function holdDatabase(): Promise<void> {
  const begun = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  const transaction = ctx.db.transaction(async () => {
    begun.resolve();
    await ended.promise;
  });
  await begun.promise;
  releaseDatabase = async () => {
    ended.resolve();
    await transaction;
  };
}

async function release(): Promise<void> {
  await releaseDatabase?.();
  releaseDatabase = null;
}

/** Makes this many calls, and waits until all of them are in progress. */
async function underWay(count: number, ask: (number: number) => Promise<ApiResponse>) {
  const run = vi.spyOn(api.ctx.workload, 'run');
  const asked = answered(times(count, ask));
  await vi.waitFor(() => expect(run).toHaveBeenCalledTimes(count));
  run.mockRestore();
  return asked;
}

/** A call, and how many calls have got a response. */
function answered(calls: Promise<ApiResponse>[]) {
  const state = { calls, answered: 0 };
  for (const each of calls) void each.then(() => (state.answered += 1));
  return state;
}

/** The token of a key that was used before, so that only the call itself queries the database. */
async function usedToken(of: TestAccount): Promise<string> {
  const key = await of.key();
  for (let uses = 0; uses < 2; uses += 1) await list(key.token);
  return key.token;
}

async function messagesPath(): Promise<string> {
  const opened = await call('POST', '/api/v1/conversations', { token, body: { subject: 'Order' } });
  return `/api/v1/conversations/${dataOf(opened).id}/messages`;
}

async function textsOf(path: string): Promise<unknown[]> {
  const texts: unknown[] = [];
  let query = '?limit=100';
  for (;;) {
    const page = await call('GET', `${path}${query}`, { token });
    texts.push(...itemsOf(page).map(({ text }) => text));
    const next = nextCursorOf(page);
    if (next === null) return texts;
    query = `?limit=100&cursor=${next}`;
  }
}

function list(withToken: string): Promise<ApiResponse> {
  return call('GET', '/api/v1/webhooks', { token: withToken });
}

function call(...[method, path, options]: Parameters<TestApi['call']>): Promise<ApiResponse> {
  return api.call(method, path, options);
}

function times<Result>(count: number, act: (number: number) => Result): Result[] {
  return Array.from({ length: count }, (_, index) => act(index + 1));
}
