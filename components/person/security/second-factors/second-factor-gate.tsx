'use client';

import { useQuery } from '@tanstack/react-query';
import { CircleCheck, ShieldAlert } from 'lucide-react';
import { usePathname } from 'next/navigation';
import { type ReactNode, useState } from 'react';
import { useHeldWhileDialogOpen } from '#components/shell/one-time-secret/use-held-while-dialog-open.ts';
import { PageHeading } from '#components/shell/page/page-heading.tsx';
import { PageTitle } from '#components/shell/page/page-title.tsx';
import { ButtonLink } from '#components/ui/buttons/button-link.tsx';
import { ExactTime } from '#components/ui/data-display/time.tsx';
import { Banner } from '#components/ui/feedback/banner.tsx';
import { Note } from '#components/ui/feedback/note.tsx';
import { useFullPath } from '#components/ui/navigation/base-path.ts';
import type { Session } from '#lib/contract/people/sessions.ts';
import { routeQuery } from '#lib/queries/route-query.ts';

/**
 * Shows the pages of an account that requires a second factor only to people who have one. Others
 * are led to the page on which they can set one up, and back to where they were going. Before the
 * account requires it, a banner says from when on.
 */
export function SecondFactorGate({ session, children }: { session: Session; children: ReactNode }) {
  const { data: current = session } = useQuery({
    ...routeQuery(session, 'getSession'),
    enabled: false,
  });
  const fullPath = useFullPath();
  const pathname = usePathname();
  const isAboutPerson = openPages.some((page) => pathname === fullPath(page));
  const isClosed = useHeldWhileDialogOpen(current.lacks_second_factor);
  const [closedPath, setClosedPath] = useState<string | null>(null);
  if (isClosed && !isAboutPerson && closedPath !== pathname) setClosedPath(pathname);
  if (!isClosed || isAboutPerson) {
    return (
      <>
        {isClosed || closedPath === null || !isAboutPerson ? (
          <RequiredSoon session={current} isSettingUp={isAboutPerson} />
        ) : (
          <Banner
            icon={<CircleCheck />}
            title="You have a second factor"
            action={<ButtonLink href={closedPath}>Continue</ButtonLink>}
            className="mb-6"
          />
        )}
        {children}
      </>
    );
  }
  const { name } = current.account;
  return (
    <>
      <PageTitle>Second factor required</PageTitle>
      <PageHeading title={`${name} requires a second factor`} sentence="You have none yet." />
      <div className="grid max-w-180 justify-items-start gap-5">
        <Note icon={<ShieldAlert />}>
          An owner of {name} turned this on. Set up a passkey or an authenticator app to continue.
          It takes about a minute.
        </Note>
        <ButtonLink variant="primary" href="settings/security">
          Set up a second factor
        </ButtonLink>
      </div>
    </>
  );
}

type RequiredSoonProps = { session: Session; isSettingUp: boolean };

/** Says from when on the account requires a second factor, to people who have none. */
function RequiredSoon({ session, isSettingUp }: RequiredSoonProps) {
  const { account, second_factor: factors, lacks_second_factor: isOverdue } = session;
  const { name, second_factor_required_from: from } = account;
  if (from === null || isOverdue || isSettingUp || factors.app || factors.passkeys > 0) return null;
  return (
    <Banner
      role="none"
      tone="warn"
      icon={<ShieldAlert />}
      title={
        <>
          {name} requires a second factor from <ExactTime form="day" value={from} />
        </>
      }
      action={<ButtonLink href="settings/security">Set up a second factor</ButtonLink>}
      className="mb-6"
    >
      You have none yet. From then on you can open this account only once you have one.
    </Banner>
  );
}

/** The pages that people need to set up a second factor. */
const openPages = ['settings/security', 'settings/profile'];
