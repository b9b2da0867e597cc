import { keysOf } from '#lib/object-keys.ts';

/** Why someone asks to rotate a key or to regenerate a secret, and how the dashboard words it. */
export const rotationReasonTable = {
  leaked: { token: 'The token may have leaked', secret: 'The secret may have leaked' },
  lost: { token: 'The token is lost', secret: 'The secret is lost' },
  left: { token: 'Someone who knew it has left', secret: 'Someone who knew it has left' },
  scheduled: { token: 'It is due for rotation', secret: 'It is due for regeneration' },
} as const;

export type RotationReason = keyof typeof rotationReasonTable;

export const rotationReasons = keysOf(rotationReasonTable);

/** `recovered`: the reason of every request to resume a webhook. */
export const requestReasons = [...rotationReasons, 'recovered'] as const;

export type RequestReason = (typeof requestReasons)[number];

/** What members can ask others: to rotate a key, regenerate a secret, or resume a webhook. */
export const requestActTable = {
  rotate: 'Rotate key',
  regenerate_secret: 'Regenerate secret',
  resume: 'Resume webhook',
} as const;

export type RequestAct = keyof typeof requestActTable;

export const requestActs = keysOf(requestActTable);

/** The act as a verb with its object: "rotate Production", "regenerate the secret of Orders". */
export function describeRequestAct(act: RequestAct, name: string): string {
  switch (act) {
    case 'rotate':
      return `rotate ${name}`;
    case 'regenerate_secret':
      return `regenerate the secret of ${name}`;
    case 'resume':
      return `resume ${name}`;
  }
}

/** The same as something that happened: "rotated Production". */
export function describeDoneAct(act: RequestAct, name: string): string {
  return describeRequestAct(act, name).replace(/^(rotate|regenerate|resume)/, '$1d');
}

/** Why someone made a request, in words. */
export function describeRequestReason({ act, reason }: { act: RequestAct; reason: RequestReason }) {
  if (reason === 'recovered') return 'The receiver works again';
  return rotationReasonTable[reason][act === 'rotate' ? 'token' : 'secret'];
}

/** Why the named member does not do what they were asked for, and how the dashboard words it. */
export const declineReasonTable = {
  not_exposed: 'It was not exposed',
  later: 'We will do it on another date',
  someone_else: 'Someone else will do it',
  other: 'Other',
} as const;

export type DeclineReason = keyof typeof declineReasonTable;

export const declineReasons = keysOf(declineReasonTable);

/**
 * Why a request can no longer be done before its deadline.
 *
 * - `key_expired`: the key has expired.
 * - `member_may_not`: the named member may no longer do it, or be shown the token.
 * - `member_left`, `requester_left`: they left the account or were removed.
 * - `closed_to_support`: an owner closed the account to the installation support who made the
 *   request.
 */
export const requestObstacles = [
  'key_expired',
  'member_may_not',
  'member_left',
  'requester_left',
  'closed_to_support',
] as const;

export type RequestObstacle = (typeof requestObstacles)[number];

/**
 * The outcome of a request.
 *
 * - `done`: what was asked for was done, for the request or otherwise.
 * - `withdrawn`: by the requester, or because one of the two left. `declined`: by the named member.
 * - `revoked`: the key was revoked, by the requester because of a leak, or by someone else.
 * - `expired`: nobody acted in time, or the named member may no longer do it. An `open`
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
