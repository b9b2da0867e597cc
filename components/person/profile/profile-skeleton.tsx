import { LinesSkeleton } from '#components/shell/page/page-skeleton.tsx';

import { ProfileHeading } from './profile-heading.tsx';

/** The page while its data is loading. */
export function ProfileSkeleton() {
  return (
    <>
      <ProfileHeading />
      <div className="grid max-w-180 gap-10 max-sm:gap-8">
        <LinesSkeleton title="Name" widths={[70, 360, 110]} />
        <LinesSkeleton title="Email address" widths={[240, 360, 180]} />
        <LinesSkeleton title="Notifications" widths={[360, 360, 360, 360]} />
      </div>
    </>
  );
}
