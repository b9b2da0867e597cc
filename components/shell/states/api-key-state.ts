import type { StatusMark } from '#components/ui/data-display/status.tsx';
import type { ApiKey } from '#lib/contract/api-keys/api-key.ts';
import type { FoundKeyDetails } from '#lib/contract/support-desk/support-desk.ts';
import { dayMs } from '#lib/durations.ts';
import { olderTokens } from './older-tokens.ts';

/**
 * The one state that the badge of a key shows at `now`; others may hold as well. `unconfirmed`: nobody confirmed having its
 * newest token; the key may be rotating or expiring as well. `expiring` is an active key that
 * expires within a week. A grace period or a key that ended after the list was read counts as
 * ended.
 */
export type ApiKeyState =
  | 'active'
  | 'unconfirmed'
  | 'expiring'
  | 'rotating'
  | 'paused'
  | 'expired'
  | 'revoked';

export function apiKeyState(apiKey: ApiKey, now: Date): ApiKeyState {
  return stateWithTokens(apiKey, {
    isUnconfirmed: hasUnconfirmedToken(apiKey),
    isRotating: olderTokens(apiKey, now).length > 0,
    now,
  });
}

/** The state of a key that the support desk found. */
export function foundKeyState(found: FoundKeyDetails, now: Date): ApiKeyState {
  const { rotating_until: until } = found;
  return stateWithTokens(found, {
    isUnconfirmed: found.unconfirmed !== null,
    isRotating: until !== null && Date.parse(until) > now.getTime(),
    now,
  });
}

type Ending = Pick<ApiKey, 'status' | 'expires_at'>;

function stateWithTokens(
  key: Ending,
  { isUnconfirmed, isRotating, now }: { isUnconfirmed: boolean; isRotating: boolean; now: Date },
): ApiKeyState {
  if (key.status === 'revoked') return 'revoked';
  if (key.status === 'expired' || msUntilExpiry(key, now) <= 0) return 'expired';
  if (key.status === 'paused') return 'paused';
  if (isUnconfirmed) return 'unconfirmed';
  if (isRotating) return 'rotating';
  return isExpiringSoon(key, now) ? 'expiring' : 'active';
}

/** By what the list of keys is filtered. Several can be true of a key at the same time. */
export type ApiKeyStatusFilter = ApiKeyState | 'expiring_30' | 'known_to_leaver';

/** What is true of the keys that a filter shows, as its choice and as part of a sentence. */
export const apiKeyStatusFilters: Record<ApiKeyStatusFilter, { label: string; verb: string }> = {
  active: { label: 'Active', verb: 'is active' },
  unconfirmed: { label: 'Unconfirmed', verb: 'is unconfirmed' },
  rotating: { label: 'Rotating', verb: 'is rotating' },
  expiring: { label: 'Expires within 7 days', verb: 'expires within 7 days' },
  expiring_30: { label: 'Expires within 30 days', verb: 'expires within 30 days' },
  known_to_leaver: {
    label: 'Known to someone who left',
    verb: 'is known to someone who left',
  },
  paused: { label: 'Paused', verb: 'is paused' },
  expired: { label: 'Expired', verb: 'has expired' },
  revoked: { label: 'Revoked', verb: 'is revoked' },
};

/**
 * Whether a filter shows a key, no matter what else is true of it.
 *
 * @param knownToLeavers the UUIDs of the keys with a token that is known to someone who left
 */
export function matchesStatus(
  apiKey: ApiKey,
  filter: ApiKeyStatusFilter,
  { now, knownToLeavers }: { now: Date; knownToLeavers?: ReadonlySet<string> | undefined },
): boolean {
  const state = apiKeyState(apiKey, now);
  if (isEndedState(state)) return filter === state;
  switch (filter) {
    case 'active':
      return state !== 'paused';
    case 'paused':
      return state === 'paused';
    case 'unconfirmed':
      return hasUnconfirmedToken(apiKey);
    case 'rotating':
      return olderTokens(apiKey, now).length > 0;
    case 'expiring':
      return isExpiringSoon(apiKey, now);
    case 'expiring_30':
      return msUntilExpiry(apiKey, now) <= 30 * dayMs;
    case 'known_to_leaver':
      return knownToLeavers?.has(apiKey.uuid) === true;
    case 'expired':
    case 'revoked':
      return false;
  }
}

function hasUnconfirmedToken({ tokens }: ApiKey): boolean {
  return Boolean(tokens[0]?.unconfirmed);
}

export function isEndedState(state: ApiKeyState): boolean {
  return state === 'revoked' || state === 'expired';
}

/** Whether an active or rotating key expires within a week. */
export function isExpiringSoon(apiKey: Ending, now: Date): boolean {
  return msUntilExpiry(apiKey, now) <= expiringMs;
}

/** Whether an active key still has the token that an operator set in the service's settings. */
export function hasInitialToken(apiKey: ApiKey, now: Date): boolean {
  if (isEndedState(apiKeyState(apiKey, now))) return false;
  return apiKey.created_by?.kind === 'system' && apiKey.rotated_at === null;
}

const expiringMs = 7 * dayMs;

function msUntilExpiry({ expires_at: end }: Ending, now: Date): number {
  return end === null ? Infinity : Date.parse(end) - now.getTime();
}

export const apiKeyStateMarks: Record<ApiKeyState, StatusMark> = {
  active: 'ok',
  unconfirmed: 'warning',
  expiring: 'expiring',
  rotating: 'rotating',
  paused: 'paused',
  expired: 'ended',
  revoked: 'ended',
};

export const apiKeyStateLabels: Record<ApiKeyState, string> = {
  active: 'Active',
  unconfirmed: 'Unconfirmed',
  expiring: 'Expiring',
  rotating: 'Rotating',
  paused: 'Paused',
  expired: 'Expired',
  revoked: 'Revoked',
};
