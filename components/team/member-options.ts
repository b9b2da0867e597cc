import type { Member } from '#lib/contract/people/members.ts';
import { mayAct, type Role, roles } from '#lib/contract/rights/roles.ts';
import type { Session } from '#lib/contract/people/sessions.ts';

/** What the person who is signed in can do about a member. */
export type MemberOptions = {
  /** The roles that the member can have, with the current one; empty if it cannot be changed. */
  roles: readonly Role[];
  mayRemove: boolean;
  /** Whether the member is the person, who can leave the account. */
  mayLeave: boolean;
};

const none: MemberOptions = { roles: [], mayRemove: false, mayLeave: false };

/** The service decides the same for itself; this hides what it would refuse. */
export function findMemberOptions(
  member: Member,
  { session, members }: { session: Pick<Session, 'person' | 'role'>; members: readonly Member[] },
): MemberOptions {
  if (isOnlyOwner(member, members)) return none;
  const isSelf = member.id === session.person.id;
  const isOwner = session.role === 'owner';
  const mayChange = mayAct(session.role, 'team.manage') && (isOwner || member.role !== 'owner');
  return {
    roles: mayChange ? rolesToGive(session.role) : [],
    mayRemove: mayChange && !isSelf,
    mayLeave: isSelf,
  };
}

/** The roles that someone who can change the team can give. */
export function rolesToGive(role: Role): readonly Role[] {
  return roles.filter((one) => role === 'owner' || one !== 'owner');
}

/** Whether the account would have no owner without this member. */
export function isOnlyOwner(member: Member, members: readonly Member[]): boolean {
  return member.role === 'owner' && members.filter(({ role }) => role === 'owner').length === 1;
}
