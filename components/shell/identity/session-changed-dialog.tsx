'use client';

import { useRouter } from 'next/navigation';
import { useEffect } from 'react';

import { useHeldByDialogs } from '#components/ui/overlays/use-held-by-dialogs.ts';
import { accountPath, firstPage } from '#lib/account-path.ts';
import { ApiError } from '#lib/api/api-error.ts';
import type { Session } from '#lib/contract/dashboard.ts';
import { sessionQuery } from '#lib/queries/session.ts';

import { LeavePageDialog, PersonChangedDialog } from './leave-page-dialog.tsx';
import { useWatchedSession } from './use-watched-session.ts';

/**
 * Blocks the page if another person signed in in another tab, because all tabs share one session
 * and actions here would be theirs; or if the page's account is being deleted, or the person is no
 * longer a member of it.
 */
export function SessionChangedDialog({ session }: { session: Session }) {
  const { current, error } = useWatchedSession(sessionQuery(session), session);
  useAskForReason(useHeldByDialogs(current.needs_reason && !session.needs_reason));

  if (error instanceof ApiError && error.code === 'NOT_FOUND') {
    return (
      <LeavePageDialog
        title={`You can’t open ${session.account.name}`}
        sentence={
          session.accounts.some(({ id }) => id === session.account.id)
            ? 'It is being deleted, you are no longer a member of it, or somebody else signed in in another tab.'
            : 'This account is closed to installation support, or somebody else signed in in another tab.'
        }
        action="Go to the dashboard"
        href="/"
      />
    );
  }
  if (current.person.id !== session.person.id) {
    return (
      <PersonChangedDialog
        current={current.person}
        before={session.person}
        href={accountPath(current.account.id, firstPage)}
      />
    );
  }
  if (current.account.erased_at !== null && session.account.erased_at === null) {
    return (
      <LeavePageDialog
        title={`${session.account.name} is being deleted`}
        sentence="An owner deleted this account. It can be restored for 7 days."
        action="Open the account"
        href={accountPath(session.account.id, 'settings/account')}
      />
    );
  }
  return null;
}

/** Installation support gives a new reason once the last one no longer counts. */
function useAskForReason(isNeeded: boolean) {
  const router = useRouter();
  useEffect(() => {
    if (isNeeded) router.refresh();
  }, [isNeeded, router]);
}
