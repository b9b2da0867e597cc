'use client';

import { useQuery } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useEffect, useEffectEvent, useState } from 'react';

import { Button } from '#components/ui/buttons/button.tsx';
import { Dialog } from '#components/ui/overlays/dialog.tsx';
import { accountPath, firstPage } from '#lib/account-path.ts';
import { ApiError } from '#lib/api/api-error.ts';
import type { Session } from '#lib/contract/dashboard.ts';
import { sessionQuery } from '#lib/queries/session.ts';

import { subscribeToSessionChanges } from './session-channel.ts';

/**
 * Blocks the page if another person signed in in another tab, because all tabs share one session
 * and actions here would be theirs; or if the page's account is being deleted, or the person is no
 * longer a member of it.
 */
export function SessionChangedDialog({ session }: { session: Session }) {
  const [renderedAt] = useState(() => Date.now());
  const {
    data: current,
    error,
    refetch,
  } = useQuery({
    ...sessionQuery(session),
    initialData: session,
    initialDataUpdatedAt: renderedAt,
    staleTime: Infinity,
    refetchOnWindowFocus: 'always',
  });
  const refetchSession = useEffectEvent(() => void refetch());
  useEffect(() => subscribeToSessionChanges(() => refetchSession()), []);
  useAskForReason(current.needs_reason && !session.needs_reason);

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
      <LeavePageDialog
        title={`${current.person.name} is signed in now`}
        sentence={`${current.person.name} signed in in another tab, so ${session.person.name} is no longer signed in here. Continue as ${current.person.name}, or sign out to sign in as ${session.person.name}.`}
        action={`Continue as ${current.person.name}`}
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

type LeavePageDialogProps = { title: string; sentence: string; action: string; href: string };

function LeavePageDialog({ title, sentence, action, href }: LeavePageDialogProps) {
  return (
    <Dialog
      open
      onClose={() => undefined}
      role="alertdialog"
      size="narrow"
      hasCloseButton={false}
      title={title}
      sentence={sentence}
      footer={
        // A full page load, so that no data stays in memory.
        <Button variant="primary" onClick={() => window.location.assign(href)}>
          {action}
        </Button>
      }
    />
  );
}
