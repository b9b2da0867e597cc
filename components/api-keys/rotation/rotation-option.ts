import type { ApiKey } from '#lib/contract/api-keys/api-key.ts';
import { mayBeShown } from '#lib/contract/api-keys/ceiling.ts';
import { memberMay, type MemberRights } from '#lib/contract/rights/member-rights.ts';
import { findOpenRequests } from '#components/shell/requests/open-requests.ts';
import type { RotationRequest } from '#lib/contract/api-keys/rotation-requests.ts';

/**
 * What a person can do about a key's rotation.
 *
 * `none`: nothing. `rotate`: rotate it, which fulfills `request` if one is addressed to them.
 * `request`: request a rotation, because they may not see the new token. `requested`: they
 * requested it already; `request` is open.
 */
export type RotationOption =
  | { kind: 'none' }
  | { kind: 'rotate'; request: RotationRequest | null }
  | { kind: 'request' }
  | { kind: 'requested'; request: RotationRequest };

export type RotationContext = {
  rights: MemberRights;
  personId: string;
  /** Open requests that they made or received, and every reported leak. */
  requests: readonly RotationRequest[];
  now: Date;
};

export function findRotationOption(
  apiKey: ApiKey,
  { rights, ...context }: RotationContext,
): RotationOption {
  if (!memberMay(rights, 'api-keys.rotate')) return { kind: 'none' };
  const { personId } = context;
  const open = findOpenRequests(apiKey, context);
  const own = open.find(({ requested_by: requester }) => requester.id === personId);
  const isShown = mayBeShown(rights, apiKey.scopes);
  // A person who cannot end tokens can have requested a rotation, although they could rotate the
  // key.
  if (own && !(isShown && memberMay(rights, 'api-keys.end-tokens'))) {
    return { kind: 'requested', request: own };
  }
  if (!isShown) return { kind: 'request' };
  return { kind: 'rotate', request: open.find(({ member }) => member.id === personId) ?? null };
}
