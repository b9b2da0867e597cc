import type { Member } from '#lib/contract/people/members.ts';

/** A viewer who was never seen, with the parts that a test is about. */
export function makeMember(part: Partial<Member> = {}): Member {
  const { id = 'ida' } = part;
  return {
    id,
    name: 'Ida Brandt',
    email: `${id}@example.com`,
    role: 'viewer',
    added_at: '2026-11-20T10:00:00.000+00:00',
    last_seen_at: null,
    last_seen_user_agent: null,
    second_factor: { passkeys: 0, app: false },
    ...part,
  };
}
