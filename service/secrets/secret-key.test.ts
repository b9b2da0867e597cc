import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { checkSecretKeys, deriveKey, loadSecretKeys } from './secret-key.ts';
import { StartError } from '../start-error.ts';
import type { OpenDatabase } from '../db/open.ts';
import { openTestDatabase } from '../testing/databases/database.ts';
import { TestLog } from '../testing/logger.ts';

const [first, second, third] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2), Buffer.alloc(32, 3)];

test('each purpose has its own key', () => {
  const keyOf = (...[key, purpose]: Parameters<typeof deriveKey>) =>
    deriveKey(key, purpose).toString('hex');
  const keys = (['cipher', 'sessions', 'check'] as const).map((purpose) => keyOf(first, purpose));
  expect(new Set(keys).size).toBe(3);
  expect(keyOf(second, 'cipher')).not.toBe(keys[0]);
});

describe('without SECRET_KEY', () => {
  let dataDir: string;
  let database: OpenDatabase;
  const log = new TestLog();
  const load = () =>
    loadSecretKeys({ secretKey: null, secretKeyPrevious: null, dataDir }, database.db);

  beforeAll(async () => {
    database = await openTestDatabase('pglite', log.logger);
  });
  afterAll(() => database.close());
  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'secret-key-'));
  });
  afterEach(() => rmSync(dataDir, { recursive: true }));

  test('a key is created once, readable only by its owner', async () => {
    const made = await load();
    expect(made.current).toHaveLength(32);
    expect(await load()).toEqual(made);
    expect(statSync(join(dataDir, 'secret-key')).mode & 0o777).toBe(0o600);
  });

  test('an unfinished file of a first start that was killed is replaced, not used as a key', async () => {
    writeFileSync(join(dataDir, 'secret-key.unfinished'), 'AAAA', { mode: 0o600 });
    const made = await load();
    expect(made.current).toHaveLength(32);
    expect(readdirSync(dataDir)).toEqual(['secret-key']);
  });

  test('a file that others can read is refused', async () => {
    await load();
    chmodSync(join(dataDir, 'secret-key'), 0o604);
    await expect(load()).rejects.toThrow('chmod 600');
  });

  test('a file that contains no key is refused', async () => {
    writeFileSync(join(dataDir, 'secret-key'), 'not a key', { mode: 0o600 });
    await expect(load()).rejects.toThrow(StartError);
  });

  test('a database that was encrypted with a key gets no other one, and no file', async () => {
    await checkSecretKeys(database.db, { current: first, previous: null }, log.logger);
    await expect(load()).rejects.toThrow('Put the file back, or set SECRET_KEY');
    expect(readdirSync(dataDir)).toEqual([]);
  });
});

test('a database accepts only its own key, or a new one together with the previous one', async () => {
  const log = new TestLog();
  const database = await openTestDatabase('pglite', log.logger);
  const check = (current: Buffer, previous: Buffer | null = null) =>
    checkSecretKeys(database.db, { current, previous }, log.logger);

  await check(first);
  await check(first);
  await expect(check(second)).rejects.toThrow('SECRET_KEY is not the key');
  await expect(check(second, third)).rejects.toThrow(StartError);

  await check(second, first);
  await check(second);
  await expect(check(first)).rejects.toThrow(StartError);
  await database.close();
});
