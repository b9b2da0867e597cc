import { invalid } from '../../errors.ts';
import { isExpired } from '../rules.ts';
import type { ApiKeyRow } from '../store/keys.ts';

/** A revoked or expired key can never become valid again. @throws ServiceError VALIDATION_ERROR */
export function refuseEndedKey(key: ApiKeyRow, now: Date): void {
  if (key.revokedAt) throw invalid('api_key', 'This key is revoked. Create a new one.');
  if (isExpired(key, now)) throw invalid('api_key', 'This key is expired. Create a new one.');
}
