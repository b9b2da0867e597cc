import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { ApiKeyToken } from '#lib/contract/api-keys/api-key.ts';
import { bootContext } from '../../../boot/boot-context.ts';
import { loadConfig } from '../../../config/load-config.ts';
import { openDatabase } from '../../../db/open.ts';
import type { OpenDatabase } from '../../../db/open.ts';
import { TestApi, dataOf } from '../../../testing/api.ts';
import type { TestAccount } from '../../../testing/api.ts';
import { FakeClock } from '../../../testing/clock.ts';
import { createMigratedPostgres } from '../../../testing/databases/postgres-database.ts';
import { TestLog } from '../../../testing/logger.ts';

/** Two processes on one database, as far as their caches know: each has its own connections. */
const clock = new FakeClock();
const log = new TestLog();
let fresh: Awaited<ReturnType<typeof createMigratedPostgres>>;
const databases: OpenDatabase[] = [];
let here: TestApi;
let there: TestApi;
let account: TestAccount;
let token: string;

beforeAll(async () => {
  fresh = await createMigratedPostgres();
  const config = loadConfig({
    DATABASE_URL: fresh.url,
    SECRET_KEY: randomBytes(32).toString('base64'),
  });
  async function boot(): Promise<TestApi> {
    const database = await openDatabase({ config, log: log.logger });
    databases.push(database);
    return new TestApi(await bootContext({ config, database, clock, log: log.logger }));
  }
  here = await boot();
  there = await boot();
  account = await here.account();
  token = (await account.key()).token;
});
afterAll(async () => {
  for (const database of databases) await database.close();
  await fresh.drop();
  log.assertNoUnexpectedErrors();
});

test.each<[string, string, string, unknown]>([
  ['revoked', 'DELETE', '', undefined],
  ['rotated with no grace', 'POST', '/rotate', { grace_period_seconds: 0 }],
])(
  'a key %s in one process is refused by the other within a second, even if its clock stands still',
  async (_what, method, path, body) => {
    const delays: number[] = [];
    for (let count = 0; count < 5; count += 1) {
      const key = await account.key();
      expect(await statusThere(key.token)).toBe(200);
      await here.call(method, `/api/v1/api-keys/${key.id}${path}`, { token, body });
      delays.push(await msUntil(async () => expect(await statusThere(key.token)).toBe(401)));
    }
    expect(medianOf(delays), `of ${delays.join(', ')} ms`).toBeLessThan(1000);
  },
);

test('a key that lost a scope in one process is refused by the other as soon as it is notified', async () => {
  const key = await account.key({ scopes: ['webhooks:read'] });
  const list = async () =>
    (await there.call('GET', '/api/v1/webhooks', { token: key.token })).status;
  expect(await list()).toBe(200);
  const body = { scopes: ['messages:write'] };
  await here.call('PATCH', `/api/v1/api-keys/${key.id}`, { token, body });
  await vi.waitFor(async () => expect(await list()).toBe(403), {
    timeout: 20_000,
    interval: 10,
  });
});

test.each<[what: string, body: object]>([
  ['a new name', { name: 'Renamed' }],
  ['another rate limit', { rate_limit_per_minute: 17 }],
])(
  '%s appears in the other process’s response about the key within a second',
  async (_what, body) => {
    const delays: number[] = [];
    for (let count = 0; count < 5; count += 1) {
      const key = await account.key();
      const asked = () => there.call('GET', '/api/v1/api-key', { token: key.token });
      expect(dataOf(await asked())).not.toMatchObject(body);
      await here.call('PATCH', `/api/v1/api-keys/${key.id}`, { token, body });
      delays.push(await msUntil(async () => expect(dataOf(await asked())).toMatchObject(body)));
    }
    expect(medianOf(delays), `of ${delays.join(', ')} ms`).toBeLessThan(1000);
  },
);

test('the first use of a token in one process confirms it in the other process’s response about the key', async () => {
  const key = await account.key();
  const rotate = `/api/v1/api-keys/${key.id}/rotate`;
  const newToken = String(dataOf(await here.call('POST', rotate, { token }))['token']);
  const database = databases[0];
  await database?.db.execute(
    `update api_key_tokens set unconfirmed_since = now(), revealed_to = '{"kind":"person","id":"ida","name":"Ida"}'
     where api_key_id = ${key.id} and valid_until is null`,
  );
  const newest = async () => {
    const response = await there.call('GET', '/api/v1/api-key', { token: key.token });
    return (dataOf(response)['tokens'] as ApiKeyToken[])[0];
  };
  expect((await newest())?.unconfirmed).not.toBeNull();
  await here.call('GET', '/api/v1/api-key', { token: newToken });
  await vi.waitFor(async () => expect((await newest())?.unconfirmed).toBeNull(), {
    timeout: 20_000,
    interval: 10,
  });
});

test('without notifications, a change is seen after five seconds at most', async () => {
  const key = await account.key();
  const [database] = databases;
  // Its first use would be announced.
  await database?.db.execute(
    `update api_key_tokens set first_used_at = now() where api_key_id = ${key.id}`,
  );
  expect(await statusThere(key.token)).toBe(200);
  // As an operator would on the server: nothing announces it.
  await database?.db.execute(`update api_keys set revoked_at = now() where id = ${key.id}`);
  expect(await statusThere(key.token)).toBe(200);
  clock.advance(5000);
  expect(await statusThere(key.token)).toBe(401);
});

async function statusThere(ofToken: string): Promise<number> {
  return (await there.call('GET', '/api/v1/api-key', { token: ofToken })).status;
}

/**
 * The time until a check passes, less the time for which this machine kept the process from
 * running: the delay of a 10 ms timer measures that.
 */
async function msUntil(check: () => Promise<void>): Promise<number> {
  const startedAt = performance.now();
  let tickedAt = startedAt;
  let stalledMs = 0;
  const ticks = setInterval(() => {
    stalledMs += Math.max(performance.now() - tickedAt - 10, 0);
    tickedAt = performance.now();
  }, 10);
  await vi.waitFor(check, { timeout: 20_000, interval: 10 });
  clearInterval(ticks);
  return Math.round(performance.now() - startedAt - stalledMs);
}

function medianOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
