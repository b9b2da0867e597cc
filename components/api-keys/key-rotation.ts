import type { ApiKey } from '#lib/contract/api-keys.ts';
import { mayAct, type Role } from '#lib/contract/roles.ts';
import type { RotationRequest } from '#lib/contract/rotation-requests.ts';

import { mayHandle } from './may-handle.ts';

/**
 * How a person gets a key rotated.
 *
 * - `none`: not at all.
 * - `rotate`: they do it, and fulfil `request` with it if one names them.
 * - `request`: they may not see its token and ask somebody who may.
 * - `asked`: they have asked; `request` waits.
 */
export type KeyRotation =
  | { kind: 'none' }
  | { kind: 'rotate'; request: RotationRequest | null }
  | { kind: 'request' }
  | { kind: 'asked'; request: RotationRequest };

/** Who looks at a key, and what they know of it. */
export type RotationView = {
  role: Role;
  personId: string;
  /** Open requests that they made or are named in. */
  requests: readonly RotationRequest[];
  now: Date;
};

export function keyRotation(
  apiKey: ApiKey,
  { role, personId, ...view }: RotationView,
): KeyRotation {
  if (!mayAct(role, 'api-keys.rotate')) return { kind: 'none' };
  const request = openRequest(apiKey, view);
  if (mayHandle(role, apiKey)) {
    return { kind: 'rotate', request: request?.member.id === personId ? request : null };
  }
  return request?.requested_by.id === personId ? { kind: 'asked', request } : { kind: 'request' };
}

/** The request that waits for a key's rotation; there is one at most. */
export function openRequest(
  { uuid }: Pick<ApiKey, 'uuid'>,
  { requests, now }: Pick<RotationView, 'requests' | 'now'>,
): RotationRequest | null {
  const found = requests.find(({ api_key: key }) => key.uuid === uuid);
  return found !== undefined && isWaiting(found, now) ? found : null;
}

/** Whether a request can still be fulfilled; its end may have come since it was read. */
export function isWaiting({ state, expires_at: end }: RotationRequest, now: Date): boolean {
  return state === 'open' && Date.parse(end) > now.getTime();
}
