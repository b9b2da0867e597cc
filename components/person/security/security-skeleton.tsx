import { LinesSkeleton } from '#components/shell/page/page-skeleton.tsx';

import { SecurityHeading } from './security-heading.tsx';

/** The page while its data is loading. */
export function SecuritySkeleton() {
  return (
    <>
      <SecurityHeading />
      <div className="grid max-w-180 gap-10 max-sm:gap-8">
        <LinesSkeleton title="Second factor" widths={[200]} />
        <LinesSkeleton title="Passkeys" widths={[280]} />
        <LinesSkeleton title="Authenticator app" widths={[320]} />
        <LinesSkeleton title="Where you are signed in" widths={[240, 180]} />
      </div>
    </>
  );
}
