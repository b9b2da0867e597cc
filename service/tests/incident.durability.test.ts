import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { IncidentWithKeys } from '#lib/contract/api-keys/incidents/incident.ts';
import { startService } from '../testing/processes/service-process.ts';
import type { ServiceProcess } from '../testing/processes/service-process.ts';
import { newToken } from '../tokens/token.ts';
import { useTemporaryFolder } from '../testing/temporary-folder.ts';

const owner = { email: 'ida@example.com', password: randomBytes(12).toString('hex') };
const credential = newToken();
/** Enough keys that most are still waiting when a crash follows the first. */
const keyCount = 15;

const dataDir = useTemporaryFolder();
let service: ServiceProcess;

beforeEach(async () => {
  service = await start();
});
afterEach(() => service.kill());

test('an incident that a crash interrupted is finished after the next start, with no key processed twice', async ({
  annotate,
}) => {
  const session = await signIn();
  for (let made = 0; made < keyCount; made += 1) {
    await ask(session, 'POST', '/api/v1/api-keys', { name: `Key ${made}`, type: 'bot' });
  }
  const listed = await ask(session, 'GET', '/api/v1/api-keys');
  const keys = (listed as { uuid: string }[]).map(({ uuid }) => uuid);
  expect(keys).toHaveLength(keyCount);
  const { uuid } = (await ask(session, 'POST', '/api/dashboard/incidents', {
    act: 'rotate',
    keys,
    reason: 'Laptop stolen',
    confirmation: `rotate ${keyCount} keys`,
  })) as IncidentWithKeys;
  const read = async () =>
    (await ask(session, 'GET', `/api/dashboard/incidents/${uuid}`)) as IncidentWithKeys;

  await expect
    .poll(async () => (await read()).counts.done, { interval: 20, timeout: 120_000 })
    .toBeGreaterThan(0);
  await service.kill();
  service = await start();
  await annotate(`${JSON.stringify((await read()).counts)} after the crash`);

  await expect
    .poll(async () => (await read()).state, { interval: 200, timeout: 120_000 })
    .toBe('done');
  expect((await read()).counts).toMatchObject({ done: keyCount, failed: 0, waiting: 0 });
  const rotated = await auditedKeys(session);
  expect(rotated).toHaveLength(keyCount);
  expect(new Set(rotated)).toEqual(new Set(keys));
}, 600_000);

async function start(): Promise<ServiceProcess> {
  return await startService({
    DATA_DIR: dataDir,
    DASHBOARD_CREDENTIAL: credential,
    INIT_ADMIN_EMAIL: owner.email,
    INIT_ADMIN_PASSWORD: owner.password,
    RATE_LIMIT_CREATIONS_PER_HOUR: '1000',
    RATE_LIMIT_PER_MINUTE: '100000',
  });
}

async function signIn(): Promise<string> {
  const { session_token: session } = (await ask(null, 'POST', '/api/dashboard/session', owner)) as {
    session_token: string;
  };
  return session;
}

/** The keys that were rotated according to the audit log, once for each entry. */
async function auditedKeys(session: string): Promise<string[]> {
  const entries = await ask(session, 'GET', '/api/v1/audit-log?action=api_key.rotated&limit=100');
  return (entries as { target: { id: string } }[]).map(({ target }) => target.id);
}

/** The `data` of the response to a request like that of the dashboard's server. */
async function ask(
  session: string | null,
  method: string,
  path: string,
  body?: unknown,
): Promise<unknown> {
  const response = await fetch(`${service.origin}${path}`, {
    method,
    headers: {
      Authorization: `Bearer ${credential}`,
      ...(session !== null && { 'X-Dashboard-Session': session }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return (JSON.parse(text) as { data: unknown }).data;
}
