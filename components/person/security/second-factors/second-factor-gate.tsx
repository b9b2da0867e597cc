'use client';

import { useQuery } from '@tanstack/react-query';
import { ShieldAlert } from 'lucide-react';
import { usePathname } from 'next/navigation';
import type { ReactNode } from 'react';

import { useHeldWhileDialogOpen } from '#components/shell/one-time-secret/use-held-while-dialog-open.ts';
import { PageHeading } from '#components/shell/page/page-heading.tsx';
import { PageTitle } from '#components/shell/page/page-title.tsx';
import { ButtonLink } from '#components/ui/buttons/button-link.tsx';
import { Note } from '#components/ui/feedback/note.tsx';
import { useFullPath } from '#components/ui/navigation/base-path.ts';
import type { Session } from '#lib/contract/people/sessions.ts';
import { routeQuery } from '#lib/queries/route-query.ts';

/**
 * Shows the pages of an account that requires a second factor only to people who have one. Others
 * are led to the page on which they can set one up.
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
  if (!isClosed || isAboutPerson) return children;
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

/** The pages that people need to set up a second factor. */
const openPages = ['settings/security', 'settings/profile'];
