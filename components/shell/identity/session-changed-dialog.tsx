import { useRouter } from 'next/navigation';
import { type ReactNode, useEffect, useEffectEvent } from 'react';
import { ApiError } from '#lib/api/api-error.ts';
import { errorTable } from '#lib/contract/error-codes.ts';
import type { Session } from '#lib/contract/people/sessions.ts';
import { accountPath, firstPage, supportDeskPath } from '#lib/paths/account-path.ts';
import { routeQuery } from '#lib/queries/route-query.ts';
import { ServiceText } from '../feedback/service-text.tsx';
import { useHeldWhileDialogOpen } from '../one-time-secret/use-held-while-dialog-open.ts';
import { LazyLeavePageDialog, personChanged } from './lazy-leave-page-dialog.tsx';
import type { ReasonToLeave } from './leave-page-dialog.tsx';
import { useWatchedSession } from './use-watched-session.ts';

/**
 * Renders page and frame again after a change of what they depend on, such as the person's role.
 * Blocks the page if another person signed in in another tab, because all tabs share one session
 * and actions here would be theirs; or if the page's account is being deleted, or the person is no
 * longer a member of it.
 */
export function SessionChangedDialog({ session }: { session: Session }) {
  const { current, error } = useWatchedSession(routeQuery(session, 'getSession'), session);
  const reason = reasonToLeave(session, current, error);
  useRefreshAfterChange(renderedPartsOf(session), renderedPartsOf(reason ? session : current));
  return <LazyLeavePageDialog reason={reason} />;
}

function reasonToLeave(
  before: Session,
  current: Session,
  error: Error | null,
): ReasonToLeave | null {
  if (error instanceof ApiError && error.code === 'NOT_FOUND') {
    return {
      title: `You cannot open ${before.account.name}`,
      sentence: whyNotFound(before, error),
      action: before.visit ? 'Go to the support desk' : 'Go to the dashboard',
      href: before.visit ? supportDeskPath : '/',
    };
  }
  if (current.person.id !== before.person.id) {
    return personChanged(current.person, before.person, accountPath(current.account.id, firstPage));
  }
  if (current.account.erased_at !== null && before.account.erased_at === null) {
    return {
      title: `${before.account.name} is being deleted`,
      sentence: 'An owner deleted this account. It can be restored for 7 days.',
      action: 'Open the account',
      href: accountPath(before.account.id, 'settings/account'),
    };
  }
  return null;
}

/** The service says why if it can: when an owner closed the account, or that it is being deleted. */
function whyNotFound(before: Session, { message }: ApiError): ReactNode {
  if (message !== errorTable.NOT_FOUND.message) return <ServiceText text={message} />;
  return before.accounts.some(({ id }) => id === before.account.id)
    ? 'You are no longer a member of it, or someone else signed in in another tab.'
    : 'This account is closed to installation support, you are no longer part of that, or someone else signed in in another tab.';
}

/** The session data with which the service renders pages, serialized for comparison. */
function renderedPartsOf({
  person,
  account,
  role,
  accounts,
  is_installation_support,
  needs_reason,
  visit,
}: Session): string {
  return JSON.stringify([
    person,
    account,
    role,
    accounts,
    is_installation_support,
    needs_reason,
    visit,
  ]);
}

/** Renders the page again when the latest session differs from the rendered one, once for each. */
function useRefreshAfterChange(rendered: string, latest: string) {
  const router = useRouter();
  const change = useHeldWhileDialogOpen(latest === rendered ? null : latest);
  const refresh = useEffectEvent(() => router.refresh());
  useEffect(() => {
    if (change !== null) refresh();
  }, [change]);
}
