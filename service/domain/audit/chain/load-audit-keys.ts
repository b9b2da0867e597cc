import type { Db } from '../../../db/open.ts';
import { areEqualInConstantTime } from '../../../secrets/are-equal-in-constant-time.ts';
import type { Cipher } from '../../../secrets/cipher.ts';
import { deriveKey } from '../../../secrets/secret-key.ts';
import type { SecretKeys } from '../../../secrets/secret-key.ts';
import { listHeads, readOlderKeys, replaceOlderKeys, updateHead } from '../store/heads.ts';
import { reencryptInBatches } from '../../in-batches.ts';
import { isSealed, sealHead, type AuditKeys } from './audit-keys.ts';

/** The context to which the cipher binds the keys that stay in the database. */
const place = { table: 'settings', uuid: 'audit_keys', accountId: '' };

/** The keys of the chain. Keys from before changes of SECRET_KEY are in the database, encrypted. */
export async function loadAuditKeys(
  db: Db,
  { secretKeys, cipher }: { secretKeys: SecretKeys; cipher: Cipher },
): Promise<AuditKeys> {
  const stored = await readOlderKeys(db);
  const older = stored.map((sealed) =>
    Buffer.from(cipher.open(Buffer.from(sealed, 'base64'), place), 'base64'),
  );
  return { current: deriveKey(secretKeys.current, 'audit'), older };
}

/**
 * Runs after a change of SECRET_KEY: stores the key of the existing entries, encrypted with the new
 * one, and seals every head again. Entries stay as they are, because nobody may change them. The
 * old key is not enough to forge them: the hash of the last of them is part of the first entry that
 * is hashed with the new key, or of the head.
 */
export async function changeAuditKeys(
  db: Db,
  options: { secretKeys: SecretKeys; cipher: Cipher },
): Promise<void> {
  const { secretKeys, cipher } = options;
  if (secretKeys.previous === null) return;
  const previous = deriveKey(secretKeys.previous, 'audit');
  const keys = await loadAuditKeys(db, options);
  const others = keys.older.filter((key) => !areEqualInConstantTime(key, previous));
  const sealed = [previous, ...others].map((key) =>
    cipher.seal(key.toString('base64'), place).toString('base64'),
  );
  await replaceOlderKeys(db, sealed);
  await reencryptInBatches(db, {
    lock: listHeads,
    nameOf: ({ accountId }) => accountId,
    async replace(tx, head) {
      // A head that was tampered with stays as it is, so that verification finds it.
      if (isSealed(previous, head)) await updateHead(tx, sealHead(keys.current, head));
    },
  });
}
