import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { deriveKey } from './secret-key.ts';

/** The row of a sealed value, to which the ciphertext is bound: no other row opens it. */
type SealedRow = { table: string; uuid: string; accountId: string };

/** Seals secrets that must be read again, so that they are unreadable in the database. */
export type Cipher = {
  seal(plaintext: string, row: SealedRow): Buffer;
  /** @throws if the value was sealed for another row or with an unknown key, or was changed */
  open(sealed: Buffer, row: SealedRow): string;
};

/**
 * AES-256-GCM with a random 96-bit nonce. Layout: format (1 byte), key id (1), nonce (12), tag
 * (16), ciphertext. Seals with the current key and opens with the current or the previous one.
 */
export function createCipher(secretKeys: { current: Buffer; previous: Buffer | null }): Cipher {
  const keys = [secretKeys.current, secretKeys.previous].flatMap((secretKey) =>
    secretKey === null ? [] : [namedKey(deriveKey(secretKey, 'cipher'))],
  );
  const [current] = keys;
  if (current === undefined) throw new Error('The cipher has no key.');

  return {
    seal(plaintext, row) {
      const nonce = randomBytes(nonceLength);
      const cipher = createCipheriv('aes-256-gcm', current.key, nonce);
      cipher.setAAD(additionalData(row));
      const ciphertext = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()]);
      const head = Buffer.from([format, current.id]);
      return Buffer.concat([head, nonce, cipher.getAuthTag(), ciphertext]);
    },
    open(sealed, row) {
      if (sealed.length < headLength || sealed[0] !== format) throw cannotOpen(row);
      for (const { id, key } of keys) {
        if (id !== sealed[1]) continue;
        const plaintext = tryToOpen(sealed, key, row);
        if (plaintext !== null) return plaintext;
      }
      throw cannotOpen(row);
    },
  };
}

const format = 1;
const nonceLength = 12;
const tagLength = 16;
const headLength = 2 + nonceLength + tagLength;

function tryToOpen(sealed: Buffer, key: Buffer, row: SealedRow): string | null {
  const nonce = sealed.subarray(2, 2 + nonceLength);
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagLength });
  decipher.setAAD(additionalData(row));
  decipher.setAuthTag(sealed.subarray(2 + nonceLength, headLength));
  const plaintext = decipher.update(sealed.subarray(headLength));
  try {
    return Buffer.concat([plaintext, decipher.final()]).toString('utf8');
  } catch {
    return null;
  }
}

/** The id selects the key without trial decryption; two keys with the same id are both tried. */
function namedKey(key: Buffer): { id: number; key: Buffer } {
  const [id = 0] = createHash('sha256').update('id').update(key).digest();
  return { id, key };
}

function additionalData({ table, uuid, accountId }: SealedRow): Buffer {
  return Buffer.from(JSON.stringify([table, uuid, accountId]));
}

function cannotOpen({ table, uuid }: SealedRow): Error {
  return new Error(`The sealed value of ${table} ${uuid} cannot be opened.`);
}
