import { LinesSkeleton } from '#components/shell/page/page-skeleton.tsx';

import { YourAccountHeading } from './your-account-heading.tsx';

/** The page while its data is loading. */
export function YourAccountSkeleton() {
  return (
    <>
      <YourAccountHeading />
      <div className="grid max-w-180 gap-10 max-sm:gap-8">
        <LinesSkeleton title="Details" widths={[160, 210, 150]} />
        <LinesSkeleton title="Where you are signed in" widths={[240, 180]} />
      </div>
    </>
  );
}
