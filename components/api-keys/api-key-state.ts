import type { ApiKey } from '#lib/contract/api-keys.ts';

import { olderTokens } from './older-tokens.ts';

/**
 * What a person must know about a key at `now`. `expiring` is an active key with a week or less to
 * go. A grace or a life that ended since the list was read counts as ended.
 */
export type ApiKeyState = 'active' | 'expiring' | 'rotating' | 'expired' | 'revoked';

export function apiKeyState(apiKey: ApiKey, now: Date): ApiKeyState {
  if (apiKey.status === 'revoked') return 'revoked';
  if (apiKey.status === 'expired' || msUntilExpiry(apiKey, now) <= 0) return 'expired';
  if (olderTokens(apiKey, now).length > 0) return 'rotating';
  return isExpiringSoon(apiKey, now) ? 'expiring' : 'active';
}

/** Whether a living key has a week or less to go, also while it is rotating. */
export function isExpiringSoon(apiKey: ApiKey, now: Date): boolean {
  return msUntilExpiry(apiKey, now) <= EXPIRING_MS;
}

/** Whether a living key still has the token that an operator chose in the service's settings. */
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
  expiring: 'Expiring',
  rotating: 'Rotating',
  expired: 'Expired',
  revoked: 'Revoked',
};
