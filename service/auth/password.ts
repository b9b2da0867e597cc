import { randomBytes, scrypt } from 'node:crypto';
import { areEqualInConstantTime } from '../secrets/are-equal-in-constant-time.ts';

export type PasswordHashing = {
  /** Returns a salted hash, computed outside the main thread. */
  hashPassword(password: string): Promise<string>;
  /** Without a hash, such as for an unknown person, returns false after the same work. */
  verifyPassword(input: { hash: string | null; password: string }): Promise<boolean>;
};

/** A hash consists of the salt and the key that scrypt derives, in hexadecimal digits. */
export const scryptHashing: PasswordHashing = {
  async hashPassword(password) {
    const salt = randomBytes(saltLength);
    return `${salt.toString('hex')}:${(await scryptKey(password, salt)).toString('hex')}`;
  },
  async verifyPassword({ hash, password }) {
    const [salt = '', key = ''] = (hash ?? hashOfNothing).split(':');
    const derived = await scryptKey(password, Buffer.from(salt, 'hex'));
    return areEqualInConstantTime(Buffer.from(key, 'hex'), derived) && hash !== null;
  },
};

const saltLength = 16;
const keyLength = 64;

/** Takes 32 MiB and a whole core for a moment; Node allows 32 MiB in all unless told otherwise. */
const cost = { N: 16_384, r: 16, p: 1, maxmem: 64 * 1024 * 1024 };

/** A salt and key that match no password. */
const hashOfNothing = `${'0'.repeat(2 * saltLength)}:${'0'.repeat(2 * keyLength)}`;

/** Unicode is normalized, because keyboards type the same character in different ways. */
async function scryptKey(password: string, salt: Buffer): Promise<Buffer> {
  return await new Promise((resolve, reject) => {
    scrypt(password.normalize('NFKC'), salt, keyLength, cost, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });
}
