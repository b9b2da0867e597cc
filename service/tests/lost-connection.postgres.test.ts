import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newToken } from '../tokens/token.ts';
import { createMigratedPostgres } from '../testing/databases/postgres-database.ts';
import { startService } from '../testing/processes/service-process.ts';
import type { ServiceProcess } from '../testing/processes/service-process.ts';

/** Long enough for a busy machine. */
const patience = { timeout: 10_000 };
const token = newToken();
const credential = newToken();
const owner = { email: 'ida@example.com', password: newToken() };
let database: Awaited<ReturnType<typeof createMigratedPostgres>>;
let service: ServiceProcess;
let operator: pg.Client;

beforeAll(async () => {
  database = await createMigratedPostgres();
  operator = new pg.Client({ connectionString: database.url });
  await operator.connect();
  service = await startService({
    DATABASE_URL: database.url,
    SECRET_KEY: randomBytes(32).toString('base64'),
    ROLES: 'api',
    INIT_ADMIN_EMAIL: owner.email,
    INIT_ADMIN_PASSWORD: owner.password,
    INIT_API_KEY: token,
    DASHBOARD_CREDENTIAL: credential,
  });
}, 60_000);
afterAll(async () => {
  await service.kill();
  await operator.end();
  await database.drop();
});

function call(method: string, path: string, body?: object, bearer = token): Promise<Response> {
  return fetch(`${service.origin}/api${path}`, {
    method,
    headers: { Authorization: `Bearer ${bearer}`, 'Content-Type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
}

const newKey = () => call('POST', '/v1/api-keys', { name: 'Suite', type: 'webhook' });
const signIn = () => call('POST', '/dashboard/session', owner, credential);
const listKeys = () => call('GET', '/v1/api-keys');

/** Ends the service's connections that meet a condition on pg_stat_activity; returns how many. */
async function cut(condition: string): Promise<number> {
  const { rowCount } = await operator.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and ${condition}`,
  );
  return rowCount ?? 0;
}

/** Blocks a call when it writes to a table, runs `act`, and lets the call continue. */
async function whileItWaits(
  { ask, table }: { ask: () => Promise<Response>; table: string },
  act: () => Promise<void>,
): Promise<Response> {
  await operator.query('begin');
  await operator.query(`lock table ${table} in share mode`);
  const response = ask();
  try {
    await act();
  } finally {
    await operator.query('rollback');
  }
  return await response;
}

async function expectUnavailable(response: Response): Promise<void> {
  expect(response.status).toBe(503);
  expect(Number(response.headers.get('Retry-After'))).toBeGreaterThan(0);
  expect(await response.json()).toMatchObject({ success: false, error: { code: 'UNAVAILABLE' } });
}

describe('a process of ROLES=api whose connection is cut', () => {
  test.each([
    ['a key is made', { ask: newKey, table: 'api_keys' }],
    ['a key is made, again', { ask: newKey, table: 'api_keys' }],
    ['someone signs in', { ask: signIn, table: 'sessions' }],
  ])('while %s responds to that call with 503, and serves the next one', async (_, waiting) => {
    const response = await whileItWaits(waiting, async () => {
      await expect.poll(() => cut("wait_event_type = 'Lock'"), patience).toBe(1);
    });
    await expectUnavailable(response);
    expect((await waiting.ask()).status).toBe(201);
  });

  test('between two calls continues, however many connections are cut', async () => {
    await Promise.all(Array.from({ length: 10 }, listKeys));
    expect(await cut('true')).toBeGreaterThan(1);
    for (const response of await Promise.all(Array.from({ length: 20 }, listKeys))) {
      if (response.status !== 200) await expectUnavailable(response);
    }
    expect((await newKey()).status).toBe(201);
  });
});
