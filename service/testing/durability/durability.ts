import { randomBytes, randomInt } from 'node:crypto';
import { cpSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
// oxlint-disable-next-line no-restricted-imports -- a random moment to kill at waits for nothing
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createCipher } from '../../secrets/cipher.ts';
import type { Cipher } from '../../secrets/cipher.ts';
import { openDatabase } from '../../db/open.ts';
import type { OpenDatabase } from '../../db/open.ts';
import { digestToken, newToken } from '../../tokens/token.ts';
import type { Environment } from '../../config/environment.ts';
import type { Logger } from '../../log/log.ts';
import { send } from './crash-calls.ts';
import { CrashLoad } from './crash-load.ts';
import { createMigratedPostgres } from '../databases/postgres-database.ts';
import { TestLog } from '../logger.ts';
import { errorsIn, startService } from '../processes/service-process.ts';
import { readStoredState } from './stored-state.ts';
import type { Thing, ThingId } from './stored-state.ts';

/** The most responses that clients have received when the service is killed. */
const maxResponses = 90;

type StoredState = Awaited<ReturnType<typeof readStoredState>>;

/** Where an installation stores its data, and how to read it while the service runs. */
type Installation = {
  environment: Environment;
  /** Captures the current data; the returned function reads it while the service restarts. */
  capture(): Promise<() => Promise<StoredState>>;
  remove(): Promise<void>;
};

/** What must be stored after the service's process is killed while it works, on either database. */
export function describeDurability(engine: OpenDatabase['engine']): void {
  const log = new TestLog();
  let installation: Installation;
  beforeEach(async () => {
    installation = engine === 'pglite' ? await embedded(log) : await onServer(log);
  });
  afterEach(async () => {
    await installation.remove();
    log.assertNoUnexpectedErrors();
  });

  describe(`a service on ${engine} that is killed`, () => {
    test('while clients write keeps every acknowledged write, and no partial write', async ({
      annotate,
    }) => {
      const rootToken = newToken();
      const start = () =>
        startService({
          ...installation.environment,
          ...prepareFirstAccount,
          INIT_API_KEY: rootToken,
        });
      const load = new CrashLoad();
      let service = await start();
      try {
        load.expected.set(...(await findFirstKey(service.origin, rootToken)));
        await load.prepare(service.origin, rootToken);
        const { reached, ended } = load.begin(service.origin, randomInt(20, maxResponses));
        await reached;
        // So that the kill does not always directly follow a response.
        await pause(randomInt(20));
        await service.kill();
        await ended;
        expect(errorsIn(service.output())).toEqual([]);

        const read = await installation.capture();
        const reading = read();
        service = await start();
        const { things, contradictions } = await reading;
        expect(contradictions).toEqual([]);
        load.settle(things);
        expect(load.differences(things)).toEqual([]);
        expect(await load.wrongResponses(service.origin)).toEqual([]);
      } finally {
        await service.kill();
      }
      // Includes the effects of calls that were repeated after the last kill.
      const { things, contradictions } = await (await installation.capture())();
      expect([...contradictions, ...load.differences(things)]).toEqual([]);
      expect(load.counts.unanswered).toBeGreaterThan(0);
      await annotate(`${JSON.stringify(load.counts)}, ${things.size} things at the end`);
    }, 600_000);
  });
}

const prepareFirstAccount = {
  INIT_ADMIN_EMAIL: 'ida@example.com',
  INIT_ADMIN_PASSWORD: randomBytes(12).toString('hex'),
  RATE_LIMIT_PER_MINUTE: '1000000',
  RATE_LIMIT_FAILED_AUTH_PER_MINUTE: '1000000',
};

/** The key that the first start created, as it must stay from then on. */
async function findFirstKey(origin: string, token: string): Promise<[ThingId, Thing]> {
  const { status, text } = await send(`${origin}/api/v1/api-key`, {
    headers: { Authorization: `Bearer ${token}` },
  });
  expect(status).toBe(200);
  const { data } = JSON.parse(text) as { data: { id: number } };
  const holds = digestToken(token).toString('hex');
  return [`key ${data.id}`, { name: 'Initial key', holds, isClosed: false }];
}

/** Reads a copy of the data, so that the service itself recovers from the crash. */
async function embedded({ logger: log }: TestLog): Promise<Installation> {
  const folder = await mkdtemp(join(tmpdir(), 'durability-'));
  const dataDir = join(folder, 'data');
  return {
    environment: { DATA_DIR: dataDir },
    async capture() {
      const copy = await mkdtemp(join(folder, 'copy-'));
      // The killed service left its socket, which cannot be copied.
      const filter = (path: string) => !path.endsWith('.sock');
      cpSync(dataDir, copy, { recursive: true, filter });
      return async () => {
        const config = { databaseUrl: null, migrationDatabaseUrl: null, dataDir: copy };
        const key = await readFile(join(copy, 'secret-key'), 'utf8');
        const cipher = createCipher({ current: Buffer.from(key, 'base64'), previous: null });
        const state = await readAll({ config, log, cipher });
        await rm(copy, { recursive: true });
        return state;
      };
    },
    remove: () => rm(folder, { recursive: true }),
  };
}

async function onServer({ logger: log }: TestLog): Promise<Installation> {
  const database = await createMigratedPostgres();
  const { url } = database;
  const secretKey = randomBytes(32);
  return {
    environment: {
      DATABASE_URL: url,
      SECRET_KEY: secretKey.toString('base64'),
      ROLES: 'api,worker',
    },
    async capture() {
      await whenAlone(url);
      const config = { databaseUrl: url, migrationDatabaseUrl: null, dataDir: '' };
      const cipher = createCipher({ current: secretKey, previous: null });
      return () => readAll({ config, log, cipher });
    },
    remove: () => database.drop(),
  };
}

async function readAll(options: {
  config: Parameters<typeof openDatabase>[0]['config'];
  log: Logger;
  cipher: Cipher;
}): Promise<StoredState> {
  const database = await openDatabase(options);
  try {
    return await readStoredState(database.db, options.cipher);
  } finally {
    await database.close();
  }
}

/**
 * Waits until the server has noticed that its client is gone; until then a commit may still
 * complete.
 */
async function whenAlone(connectionString: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  const others = async () => {
    const { rows } = await client.query<{ others: number }>(
      `select count(*)::int as others from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid()`,
    );
    return rows[0]?.others;
  };
  await expect.poll(others, { timeout: 30_000 }).toBe(0);
  await client.end();
}
