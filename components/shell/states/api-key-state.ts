import type { ApiKey } from '#lib/contract/api-keys/api-key.ts';

import { olderTokens } from './older-tokens.ts';

/**
 * The state that the dashboard shows for a key at `now`. `unconfirmed`: nobody confirmed having its
 * newest token; the key may be rotating or expiring as well. `expiring` is an active key that expires
 * within a week. A grace period or a key that ended after the list was read counts as ended.
 */
export type ApiKeyState =
  | 'active'
  | 'unconfirmed'
  | 'expiring'
  | 'rotating'
  | 'expired'
  | 'revoked';

export function apiKeyState(apiKey: ApiKey, now: Date): ApiKeyState {
  if (apiKey.status === 'revoked') return 'revoked';
  if (apiKey.status === 'expired' || msUntilExpiry(apiKey, now) <= 0) return 'expired';
  if (apiKey.tokens[0]?.unconfirmed) return 'unconfirmed';
  if (olderTokens(apiKey, now).length > 0) return 'rotating';
  return isExpiringSoon(apiKey, now) ? 'expiring' : 'active';
}

/** Whether an active or rotating key expires within a week. */
export function isExpiringSoon(apiKey: ApiKey, now: Date): boolean {
  return msUntilExpiry(apiKey, now) <= EXPIRING_MS;
}

/** Whether an active key still has the token that an operator set in the service's settings. */
export function hasInitialToken(apiKey: ApiKey, now: Date): boolean {
  const state = apiKeyState(apiKey, now);
  if (state === 'revoked' || state === 'expired') return false;
  return apiKey.created_by?.kind === 'system' && apiKey.rotated_at === null;
}

const EXPIRING_MS = 7 * 86_400_000;

function msUntilExpiry({ expires_at: end }: ApiKey, now: Date): number {
  return end === null ? Infinity : Date.parse(end) - now.getTime();
}

export const apiKeyStateLabels: Record<ApiKeyState, string> = {
  active: 'Active',
  unconfirmed: 'Unconfirmed',
  expiring: 'Expiring',
  rotating: 'Rotating',
  expired: 'Expired',
  revoked: 'Revoked',
};
