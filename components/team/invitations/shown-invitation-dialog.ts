import type { Invitation } from '#lib/contract/people/invitations.ts';

import type { Renewal } from '../invitation-options.ts';

/** Which dialog is open, about which invitation, and the control that opened it. */
export type ShownInvitationDialog = { opener: HTMLElement | null } & (
  | { kind: 'invite' }
  | { kind: 'renew'; invitation: Invitation; renewal: Renewal }
  | { kind: 'revoke'; invitation: Invitation }
);
