import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { newToken } from '../../../tokens/token.ts';
import { createMigratedPostgres } from '../../../testing/databases/postgres-database.ts';
import { openRedisProxy } from '../../../testing/databases/redis-proxy.ts';
import type { RedisProxy } from '../../../testing/databases/redis-proxy.ts';
import { startService } from '../../../testing/processes/service-process.ts';
import type { ServiceProcess } from '../../../testing/processes/service-process.ts';

/** Two processes on one PostgreSQL and one Redis, each with its own connections. */
const perKey = 30;
const perAccount = 100;
const creations = 10;
const firstKey = newToken();

let database: Awaited<ReturnType<typeof createMigratedPostgres>>;
let proxies: RedisProxy[] = [];
const services: ServiceProcess[] = [];

beforeAll(async () => {
  database = await createMigratedPostgres();
  proxies = [await openRedis(), await openRedis()];
  const secrets = { SECRET_KEY: randomBytes(32).toString('base64') };
  for (const proxy of proxies) {
    services.push(
      await startService({
        ...secrets,
        DATABASE_URL: database.url,
        REDIS_URL: proxy.url,
        // On a busy machine Redis may be slow too.
        REDIS_TIMEOUT_MS: '10000',
        ROLES: 'api',
        RATE_LIMIT_PER_MINUTE: String(perKey),
        RATE_LIMIT_ACCOUNT_PER_MINUTE: String(perAccount),
        RATE_LIMIT_CREATIONS_PER_HOUR: String(creations),
        INIT_ADMIN_EMAIL: 'ida@example.com',
        INIT_ADMIN_PASSWORD: 'correct horse battery staple',
        INIT_API_KEY: firstKey,
      }),
    );
  }
  for (const [index, service] of services.entries()) {
    // Until they are connected to Redis, each counts for itself.
    await vi.waitUntil(
      async () => {
        await ask(service, 'GET', newToken());
        return countsOf(proxies[index]).length > 0;
      },
      { timeout: 20_000 },
    );
  }
}, 120_000);
afterAll(async () => {
  for (const service of services) await service.kill();
  for (const proxy of proxies) await proxy.close();
  await database.drop();
});

test('two processes count the limits of keys, accounts and creations together, with one key in each command', async () => {
  const others: string[] = [];
  for (let made = 1; made <= 3; made += 1) {
    const response = await ask(at(made), 'POST', firstKey, { name: `Key ${made}`, type: 'full' });
    const body = (await response.json()) as { data: { token: string } };
    others.push(body.data.token);
  }
  const created = await statusesOf(20, (n) =>
    ask(at(n), 'POST', firstKey, { name: `Bot ${n}`, type: 'bot' }),
  );
  expect(created).toEqual({ 201: creations - 3, 429: 20 - (creations - 3) });
  const [one = '', other = '', last = ''] = others;
  expect(await statusesOf(40, (n) => ask(at(n), 'GET', one))).toEqual({ 200: 30, 429: 10 });
  expect(await statusesOf(40, (n) => ask(at(n), 'GET', other))).toEqual({ 200: 30, 429: 10 });
  const left = perAccount - 3 - 20 - 2 * perKey;
  expect(await statusesOf(40, (n) => ask(at(n), 'GET', last))).toEqual({
    200: left,
    429: 40 - left,
  });

  for (const proxy of proxies) {
    const keysOfEach = countsOf(proxy).map(([, , keys]) => keys);
    expect(keysOfEach.length).toBeGreaterThan(0);
    expect(new Set(keysOfEach)).toEqual(new Set(['1']));
  }
  for (const service of services) expect(service.output()).not.toContain('Redis failed');
});

function openRedis(): Promise<RedisProxy> {
  return openRedisProxy(process.env['TEST_REDIS_URL'] ?? '');
}

function at(call: number): ServiceProcess {
  const service = services[call % services.length];
  if (!service) throw new Error('no service runs');
  return service;
}

function countsOf(proxy: RedisProxy | undefined): string[][] {
  return proxy?.commands().filter(([name]) => name === 'eval' || name === 'evalsha') ?? [];
}

async function ask(
  service: ServiceProcess,
  method: 'GET' | 'POST',
  token: string,
  body?: object,
): Promise<Response> {
  return await fetch(`${service.origin}/api/v1/${method === 'GET' ? 'webhooks' : 'api-keys'}`, {
    method,
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
}

/** Makes concurrent calls, and counts the responses by status. */
async function statusesOf(
  calls: number,
  call: (n: number) => Promise<Response>,
): Promise<Record<string, number>> {
  const responses = await Promise.all(Array.from({ length: calls }, (_, index) => call(index)));
  await Promise.all(responses.map((response) => response.arrayBuffer()));
  return Object.fromEntries(
    [...Map.groupBy(responses, ({ status }) => status)].map(([status, all]) => [
      status,
      all.length,
    ]),
  );
}
