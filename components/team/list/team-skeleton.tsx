import { ControlSkeleton } from '#components/shell/page/page-skeleton.tsx';

import { MemberTable } from './member-table.tsx';
import { TeamHeading } from './team-heading.tsx';

/** The page while its data is loading: the heading, and skeleton rows. */
export function TeamSkeleton() {
  return (
    <>
      <TeamHeading action={<ControlSkeleton width={140} />} />
      <MemberTable caption="Loading members" isBusy />
    </>
  );
}
