import type { ApiKey } from '#lib/contract/api-keys/api-key.ts';
import { mayBeShown } from '#lib/contract/api-keys/ceiling.ts';
import { memberMay, type MemberRights } from '#lib/contract/member-rights.ts';
import type { RotationRequest } from '#lib/contract/api-keys/rotation-requests.ts';

/**
 * What a person can do about a key's rotation.
 *
 * `none`: nothing. `rotate`: rotate it, which fulfils `request` if one is addressed to them.
 * `request`: request a rotation, because they may not see the new token. `requested`: they
 * requested it already; `request` is open.
 */
export type RotationOption =
  | { kind: 'none' }
  | { kind: 'rotate'; request: RotationRequest | null }
  | { kind: 'request' }
  | { kind: 'requested'; request: RotationRequest };

/** The person, their rights, and the requests they can see. */
export type RotationContext = {
  rights: MemberRights;
  personId: string;
  /** Open requests that they made or received. */
  requests: readonly RotationRequest[];
  now: Date;
};

export function findRotationOption(
  apiKey: ApiKey,
  { rights, personId, ...context }: RotationContext,
): RotationOption {
  if (!memberMay(rights, 'api-keys.rotate')) return { kind: 'none' };
  const request = findOpenRequest(apiKey, context);
  const isShown = mayBeShown(rights, apiKey.scopes);
  // A person who cannot end tokens can have requested a rotation, although they could rotate the
  // key.
  if (
    request?.requested_by.id === personId &&
    !(isShown && memberMay(rights, 'api-keys.end-tokens'))
  ) {
    return { kind: 'requested', request };
  }
  if (!isShown) return { kind: 'request' };
  return { kind: 'rotate', request: request?.member.id === personId ? request : null };
}

/** The open rotation request of a key. There is one at most. */
export function findOpenRequest(
  { uuid }: Pick<ApiKey, 'uuid'>,
  { requests, now }: Pick<RotationContext, 'requests' | 'now'>,
): RotationRequest | null {
  const found = requests.find(({ api_key: key }) => key.uuid === uuid);
  return found !== undefined && isRequestOpen(found, now) ? found : null;
}

/** Whether a request is open at `now`. It may have expired after it was read. */
export function isRequestOpen({ state, expires_at: end }: RotationRequest, now: Date): boolean {
  return state === 'open' && Date.parse(end) > now.getTime();
}
