import { MemberTable } from './member-table.tsx';
import { TeamHeading } from './team-heading.tsx';

/** The page while its data is loading: the heading, and skeleton rows. */
export function TeamSkeleton() {
  return (
    <>
      <TeamHeading />
      <MemberTable caption="Loading members" isBusy />
    </>
  );
}
