import type { Config } from '../config/load-config.ts';
import type { Db } from '../db/open.ts';
import type { AuditKeys } from '../domain/audit/chain/audit-keys.ts';
import { changeAuditKeys, loadAuditKeys } from '../domain/audit/chain/load-audit-keys.ts';
import type { Logger } from '../log/log.ts';
import { createCipher } from '../secrets/cipher.ts';
import type { Cipher } from '../secrets/cipher.ts';
import { checkSecretKeys, loadSecretKeys } from '../secrets/secret-key.ts';
import type { SecretKeys } from '../secrets/secret-key.ts';

/** The keys of an installation, and what is derived from them. */
export type Keys = { secretKeys: SecretKeys; cipher: Cipher; auditKeys: AuditKeys };

/**
 * Loads the keys of a database. With a previous SECRET_KEY, the current one replaces it for the
 * check of the key and for the audit log.
 *
 * @throws StartError if SECRET_KEY is not the key of the database
 */
export async function loadKeys(
  db: Db,
  {
    config,
    log,
  }: { config: Pick<Config, 'secretKey' | 'secretKeyPrevious' | 'dataDir'>; log: Logger },
): Promise<Keys> {
  const secretKeys = await loadSecretKeys(config, db);
  await checkSecretKeys(db, secretKeys, log);
  const cipher = createCipher(secretKeys);
  await changeAuditKeys(db, { secretKeys, cipher });
  return { secretKeys, cipher, auditKeys: await loadAuditKeys(db, { secretKeys, cipher }) };
}
