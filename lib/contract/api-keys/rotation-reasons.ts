import { keysOf } from '#lib/object-keys.ts';

/** Why somebody asks for a key to be rotated, and how the dashboard words it. */
export const rotationReasonTable = {
  leaked: 'The token may have leaked',
  lost: 'The token is lost',
  left: 'Somebody who knew it has left',
  scheduled: 'It is due for rotation',
} as const;

export type RotationReason = keyof typeof rotationReasonTable;

export const rotationReasons = keysOf(rotationReasonTable);

/** Why the named member does not rotate the key, and how the dashboard words it. */
export const declineReasonTable = {
  not_exposed: 'The token was not exposed',
  later: 'We will rotate it on another date',
  someone_else: 'Someone else will rotate it',
  other: 'Other',
} as const;

export type DeclineReason = keyof typeof declineReasonTable;

export const declineReasons = keysOf(declineReasonTable);

/**
 * Why a request can no longer be done before its deadline.
 *
 * - `key_expired`: the key has expired.
 * - `member_may_not`: the named member may no longer be shown its token, or is no longer a member.
 * - `member_left`, `requester_left`: they left the account or were removed, or the account was
 *   closed
 * to the installation support who made the request.
 */
export const requestObstacles = [
  'key_expired',
  'member_may_not',
  'member_left',
  'requester_left',
] as const;

export type RequestObstacle = (typeof requestObstacles)[number];

/**
 * The outcome of a rotation request.
 *
 * - `done`: the key was rotated, for the request or otherwise.
 * - `withdrawn`: by the requester, or because one of the two left. `declined`: by the named member.
 * - `revoked`: the key was revoked, by the requester because of a leak, or by somebody else.
 * - `expired`: nobody acted in time, or the named member may no longer rotate the key. An `open`
 * request past its deadline is read as expired.
 */
export const rotationRequestStates = [
  'open',
  'done',
  'withdrawn',
  'declined',
  'revoked',
  'expired',
] as const;

export type RotationRequestState = (typeof rotationRequestStates)[number];
