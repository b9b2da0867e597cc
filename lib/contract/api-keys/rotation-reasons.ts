/** Why somebody asks for a key to be rotated, and how the dashboard words it. */
export const rotationReasonTable = {
  leaked: 'The token may have leaked',
  lost: 'The token is lost',
  left: 'Somebody who knew it has left',
  scheduled: 'It is due for rotation',
} as const;

export type RotationReason = keyof typeof rotationReasonTable;

export const rotationReasons = Object.keys(rotationReasonTable) as [
  RotationReason,
  ...RotationReason[],
];

/**
 * What became of a rotation request.
 *
 * - `done`: the key was rotated, for the request or otherwise.
 * - `withdrawn`: by whoever asked. `declined`: by the named member.
 * - `revoked`: the key was ended, by whoever asked, as a leak allows, or by somebody else.
 * - `expired`: nobody acted in time, or the named member may no longer rotate the key. An `open`
 *   one past its deadline reads so.
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
