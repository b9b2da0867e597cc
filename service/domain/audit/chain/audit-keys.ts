import { createHmac } from 'node:crypto';

/** The keys of the audit log's chain, each derived from a SECRET_KEY. */
export type AuditKeys = {
  /** The key for new entries and for heads. */
  current: Buffer;
  /** The keys of entries from before changes of SECRET_KEY, newest first. */
  older: readonly Buffer[];
};

/** HMAC-SHA-256 over a text. */
export function hashWith(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}
