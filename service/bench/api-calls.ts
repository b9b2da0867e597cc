import { fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pool } from 'undici';
import { newToken } from '../token.ts';
import { createPostgresDatabase } from '../testing/databases/postgres-database.ts';
import { startService } from '../testing/processes/service-process.ts';
import { engines } from './open-installation.ts';
import { row } from './report.ts';

const seconds = 5;
const connections = 32;

/** What is called, with a bearer token: each a row of the result. */
const calls: readonly Call[] = [
  { name: 'authenticated 404', path: '/api/v1/nothing', status: 404 },
  { name: 'GET /api-key', path: '/api/v1/api-key', status: 200 },
  { name: 'GET /webhooks', path: '/api/v1/webhooks', status: 200 },
  { name: 'GET /conversations', path: '/api/v1/conversations', status: 200 },
];

type Call = { name: string; path: string; status: number };

/** Reads with a bearer token, answered by the service as it is started by an operator. */
export async function benchApiCalls(): Promise<void> {
  const bare = fork(new URL('./bare-server.ts', import.meta.url));
  const [port] = (await once(bare, 'message')) as [number];
  const bareOrigin = `http://127.0.0.1:${port}`;
  const token = newToken();

  for (const engine of engines) {
    const dataDir = await mkdtemp(join(tmpdir(), 'bench-'));
    const server = engine === 'postgresql' ? await createPostgresDatabase() : null;
    const service = await startService({
      DATA_DIR: dataDir,
      ...(server && { DATABASE_URL: server.url, SECRET_KEY: randomBytes(32).toString('base64') }),
      INIT_ADMIN_EMAIL: 'ida@example.com',
      INIT_ADMIN_PASSWORD: randomBytes(12).toString('hex'),
      INIT_API_KEY: token,
      RATE_LIMIT_PER_MINUTE: '1000000',
      RATE_LIMIT_ACCOUNT_PER_MINUTE: '10000000',
      // The product's own default; the tests of processes log less.
      LOG_LEVEL: 'info',
    });
    for (const call of calls) {
      await callsPerSecond({ ...call, origin: service.origin, token });
      const bareBefore = await callsPerSecond({ ...bareCall, origin: bareOrigin, token });
      const served = await callsPerSecond({ ...call, origin: service.origin, token });
      const bareAfter = await callsPerSecond({ ...bareCall, origin: bareOrigin, token });
      const barePerSecond = (bareBefore + bareAfter) / 2;
      row(`${call.name}, ${engine}`, {
        'per s': served,
        'bare node:http per s': barePerSecond,
        ratio: served / barePerSecond,
      });
    }
    await service.kill();
    await server?.drop();
    await rm(dataDir, { recursive: true });
  }
  bare.kill();
}

const bareCall = { path: '/', status: 200 };

async function callsPerSecond(options: {
  origin: string;
  path: string;
  status: number;
  token: string;
}): Promise<number> {
  const { origin, path, status, token } = options;
  const pool = new Pool(origin, { connections });
  const began = performance.now();
  const until = began + seconds * 1000;
  let answered = 0;
  const call = async () => {
    while (performance.now() < until) {
      const { statusCode, body } = await pool.request({
        path,
        method: 'GET',
        headers: { Authorization: `Bearer ${token}` },
      });
      await body.dump();
      if (statusCode !== status) throw new Error(`answered ${statusCode}`);
      answered += 1;
    }
  };
  await Promise.all(Array.from({ length: connections }, call));
  const perSecond = (answered * 1000) / (performance.now() - began);
  await pool.close();
  return perSecond;
}
