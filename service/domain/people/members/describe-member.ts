import type { Member } from '#lib/contract/people/members.ts';
import { formatApiTime } from '#lib/time.ts';
import type { MemberRow } from '../store/members.ts';

/** A member as the dashboard shows them. */
export function describeMember(member: MemberRow): Member {
  return {
    id: member.id,
    name: member.name,
    email: member.email,
    role: member.role,
    added_at: formatApiTime(member.createdAt),
    last_seen_at: member.lastSeenAt && formatApiTime(member.lastSeenAt),
    last_seen_user_agent: member.lastSeenAgent,
    second_factor: { passkeys: member.passkeys, app: member.app },
  };
}
