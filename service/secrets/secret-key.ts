import { hkdfSync, randomBytes } from 'node:crypto';
import { readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../config/load-config.ts';
import type { Db } from '../db/open.ts';
import { readKeyCheck, readOrStoreKeyCheck, replaceKeyCheck } from '../db/stored-settings.ts';
import { errorCode } from '../error-code.ts';
import type { Logger } from '../log/log.ts';
import { StartError } from '../start-error.ts';

/** The purpose of a key that is derived from SECRET_KEY. Each purpose has its own key. */
type KeyPurpose = 'cipher' | 'sessions' | 'devices' | 'audit' | 'check' | 'actions';

/** The installation's key, and the previous one, with which older values can still be decrypted. */
export type SecretKeys = { current: Buffer; previous: Buffer | null };

/** Derives 32 bytes for one purpose with HKDF-SHA-256 (RFC 5869). */
export function deriveKey(secretKey: Buffer, purpose: KeyPurpose): Buffer {
  return Buffer.from(hkdfSync('sha256', secretKey, '', `conversation-service ${purpose}`, 32));
}

/**
 * The key from the settings, or else the one in the data folder, which the first start creates.
 * @throws StartError if the file is missing and the database was encrypted with a key
 */
export async function loadSecretKeys(
  config: Pick<Config, 'secretKey' | 'secretKeyPrevious' | 'dataDir'>,
  db: Db,
): Promise<SecretKeys> {
  const { secretKeyPrevious: previous, dataDir } = config;
  const path = pathOfKey(dataDir);
  const current = await readSecretKey(config);
  if (current !== null) return { current, previous };
  if ((await readKeyCheck(db)) !== null) {
    throw new StartError(
      `There is no key in ${path}, but this database was encrypted with one. Put the file back, or set SECRET_KEY to the key.`,
    );
  }
  return { current: await makeKeyFile(path), previous };
}

/** The key from the settings, or else the one in the data folder; null if there is none. */
export async function readSecretKey(
  config: Pick<Config, 'secretKey' | 'dataDir'>,
): Promise<Buffer | null> {
  return config.secretKey ?? (await readKeyFile(pathOfKey(config.dataDir)));
}

function pathOfKey(dataDir: string): string {
  return join(dataDir, 'secret-key');
}

/**
 * Checks that the database's secrets are sealed with this key. If they are sealed with the previous
 * key, the current one replaces it.
 * @throws StartError for any other key, with which the service could open none of the secrets
 */
export async function checkSecretKeys(db: Db, keys: SecretKeys, log: Logger): Promise<void> {
  const check = checkValue(keys.current);
  const stored = await readOrStoreKeyCheck(db, check);
  if (stored === check) return;
  if (keys.previous === null || stored !== checkValue(keys.previous)) {
    throw new StartError(
      'SECRET_KEY is not the key that encrypted the signing secrets in this database.\n' +
        'Set SECRET_KEY to that key (without SECRET_KEY it is the file secret-key in DATA_DIR). ' +
        'To change the key, set SECRET_KEY_PREVIOUS to the old one.',
    );
  }
  await replaceKeyCheck(db, check);
  log.info('SECRET_KEY was changed');
}

/** Shows whether a database was encrypted with this key, without showing the key. */
export function checkValue(secretKey: Buffer): string {
  return deriveKey(secretKey, 'check').toString('base64url');
}

/** Null if there is no file. */
async function readKeyFile(path: string): Promise<Buffer | null> {
  const found = await readFile(path, 'utf8').catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  });
  if (found === null) return null;
  const key = Buffer.from(found, 'base64');
  if (key.length !== 32)
    throw new StartError(`${path} does not hold 32 bytes in base64. Restore it from a backup.`);
  if (((await stat(path)).mode & 0o077) !== 0) {
    throw new StartError(`${path} can be read by others. Protect it: chmod 600 ${path}`);
  }
  return key;
}

/**
 * Writes another file first and then renames it: if the process is killed in between, there is no
 * key at all instead of half of one. The folder is locked, so no other process creates one.
 */
async function makeKeyFile(path: string): Promise<Buffer> {
  const key = randomBytes(32);
  const unfinished = `${path}.unfinished`;
  await rm(unfinished, { force: true });
  await writeFile(unfinished, `${key.toString('base64')}\n`, {
    flag: 'wx',
    mode: 0o600,
    flush: true,
  });
  await rename(unfinished, path);
  return key;
}
