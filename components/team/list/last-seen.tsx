import { describeUserAgent } from '#lib/describe-user-agent.ts';
import { SecondLine } from '#components/ui/data-display/table.tsx';
import { ExactTime, RelativeTime } from '#components/ui/data-display/time.tsx';
import type { Member } from '#lib/contract/people/members.ts';

type LastSeenProps = {
  member: Member;
  /** Whether the member is the person who is signed in. */
  isSelf: boolean;
};

/** When and with which browser a member used the dashboard in this account last. */
export function LastSeen({ member, isSelf }: LastSeenProps) {
  const { last_seen_at: seenAt, last_seen_user_agent: userAgent, added_at: addedAt } = member;
  if (seenAt === null) {
    return (
      <>
        <span className="text-ink-3">Not seen yet</span>
        <SecondLine className="max-sm:hidden">
          Added <ExactTime form="day" value={addedAt} />
        </SecondLine>
      </>
    );
  }
  return (
    <>
      {isSelf ? 'Now' : <RelativeTime value={seenAt} />}
      <SecondLine className="max-sm:hidden">{describeUserAgent(userAgent)}</SecondLine>
    </>
  );
}
