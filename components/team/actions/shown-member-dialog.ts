import type { Member } from '#lib/contract/people/members.ts';
import type { Role } from '#lib/contract/rights/roles.ts';

/**
 * Which dialog is open, for which member, as they were when it was opened, and the control that
 * opened it.
 */
export type ShownMemberDialog = { member: Member; opener: HTMLElement | null } & (
  | { kind: 'change-role'; role: Role }
  | { kind: 'remove' }
  | { kind: 'leave' }
);
