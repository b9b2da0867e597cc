import { LinesSkeleton } from '#components/shell/page/page-skeleton.tsx';

import { AccountHeading } from './account-heading.tsx';

/** The page while its data is loading. */
export function AccountSkeleton() {
  return (
    <>
      <AccountHeading />
      <div className="grid max-w-180 gap-10 max-sm:gap-8">
        <LinesSkeleton title="Support access" widths={[360, 280, 320]} />
      </div>
    </>
  );
}
