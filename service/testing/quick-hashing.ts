import { createHash, randomBytes } from 'node:crypto';
import type { PasswordHashing } from '../auth/password.ts';

/**
 * Salted SHA-256. The product's scrypt deliberately takes long, which would be most of the time of
 * a test that signs in for another purpose.
 */
export const quickHashing: PasswordHashing = {
  async hashPassword(password) {
    const salt = randomBytes(16).toString('hex');
    return `${salt}:${keyOf(salt, password)}`;
  },
  async verifyPassword({ hash, password }) {
    const [salt = '', key] = hash?.split(':') ?? [];
    return key === keyOf(salt, password);
  },
};

function keyOf(salt: string, password: string): string {
  return createHash('sha256').update(`${salt}:${password}`).digest('hex');
}
