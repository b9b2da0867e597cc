import type { ApiKey } from '#lib/contract/api-keys.ts';

/**
 * What a person must know about a key at `now`. `expiring` is an active key with a week or less to
 * go. A grace or a life that ended since the list was read counts as ended.
 */
export type ApiKeyState = 'active' | 'expiring' | 'rotating' | 'expired' | 'revoked';

export function apiKeyState(apiKey: ApiKey, now: Date): ApiKeyState {
  if (apiKey.status === 'revoked') return 'revoked';
  const expiresInMs =
    apiKey.expires_at === null ? Infinity : Date.parse(apiKey.expires_at) - now.getTime();
  if (apiKey.status === 'expired' || expiresInMs <= 0) return 'expired';
  if (apiKey.previous_token && Date.parse(apiKey.previous_token.valid_until) > now.getTime()) {
    return 'rotating';
  }
  return expiresInMs <= EXPIRING_MS ? 'expiring' : 'active';
}

const EXPIRING_MS = 7 * 86_400_000;

export const apiKeyStateLabels: Record<ApiKeyState, string> = {
  active: 'Active',
  expiring: 'Expiring',
  rotating: 'Rotating',
  expired: 'Expired',
  revoked: 'Revoked',
};
