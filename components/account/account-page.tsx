import type { Session } from '#lib/contract/dashboard.ts';

import { AccountHeading } from './account-heading.tsx';
import { InstallationSupport } from './installation-support.tsx';
import { SupportAccess } from './support-access.tsx';

/** The page with the settings of the account. Owners can change them; every member can read them. */
export function AccountPage({ session }: { session: Session }) {
  return (
    <>
      <AccountHeading />
      <div className="grid max-w-180 grid-cols-[minmax(0,1fr)] gap-10 max-sm:gap-8">
        <SupportAccess session={session} />
        <InstallationSupport session={session} />
      </div>
    </>
  );
}
