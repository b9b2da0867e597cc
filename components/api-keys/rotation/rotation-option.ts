import type { ApiKey } from '#lib/contract/api-keys.ts';
import { mayBeShown, memberMay, type MemberRights } from '#lib/contract/ceiling.ts';
import type { RotationRequest } from '#lib/contract/rotation-requests.ts';

/**
 * How a person gets a key rotated.
 *
 * - `none`: not at all.
 * - `rotate`: they do it, and fulfil `request` with it if one names them.
 * - `request`: they may not be shown its token and ask somebody who may.
 * - `asked`: they have asked; `request` waits.
 */
export type RotationOption =
  | { kind: 'none' }
  | { kind: 'rotate'; request: RotationRequest | null }
  | { kind: 'request' }
  | { kind: 'requested'; request: RotationRequest };

/** Who looks at a key, and what they know of it. */
export type RotationContext = {
  rights: MemberRights;
  personId: string;
  /** Open requests that they made or are named in. */
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
  // Who may not end a token asks for it, also where they could rotate the key.
  if (
    request?.requested_by.id === personId &&
    !(isShown && memberMay(rights, 'api-keys.end-tokens'))
  ) {
    return { kind: 'requested', request };
  }
  if (!isShown) return { kind: 'request' };
  return { kind: 'rotate', request: request?.member.id === personId ? request : null };
}

/** The request that waits for a key's rotation; there is one at most. */
export function findOpenRequest(
  { uuid }: Pick<ApiKey, 'uuid'>,
  { requests, now }: Pick<RotationContext, 'requests' | 'now'>,
): RotationRequest | null {
  const found = requests.find(({ api_key: key }) => key.uuid === uuid);
  return found !== undefined && isRequestOpen(found, now) ? found : null;
}

/** Whether a request can still be fulfilled; its end may have come since it was read. */
export function isRequestOpen({ state, expires_at: end }: RotationRequest, now: Date): boolean {
  return state === 'open' && Date.parse(end) > now.getTime();
}
