'use client';

import { useQuery } from '@tanstack/react-query';
import { Lock, UserPlus } from 'lucide-react';
import { useRouter, useSearchParams } from 'next/navigation';
import { useEffect, useEffectEvent } from 'react';
import { LazyFailedActionPanel } from '#components/shell/actions/lazy-failed-action-panel.tsx';
import { useNavigationFocus } from '#components/shell/page/navigation-focus.tsx';
import { ReadFailure } from '#components/shell/page/read-failure.tsx';
import { useReturnFocus } from '#components/shell/page/use-return-focus.ts';
import { Button } from '#components/ui/buttons/button.tsx';
import { Note } from '#components/ui/feedback/note.tsx';
import { lazyShownDialog } from '#components/ui/overlays/lazy-shown-dialog.tsx';
import type { Session } from '#lib/contract/people/sessions.ts';
import { mayAct, type Role, roleTable } from '#lib/contract/rights/roles.ts';
import { pageRefetchInterval } from '#lib/queries/refetch-interval.ts';
import { routeQuery } from '#lib/queries/route-query.ts';
import { dataIfPermitted } from '#lib/queries/data-if-permitted.ts';
import type { MemberDialogProps } from '../actions/member-dialog.tsx';
import { type ShownMemberDialog, useMemberActions } from '../actions/use-member-actions.ts';
import { InstallationSupportSection } from '../installation-support/installation-support-section.tsx';
import { Invitations } from '../invitations/invitations.tsx';
import { useInvitationActions } from '../invitations/use-invitation-actions.ts';
import { findMemberOptions, isOnlyOwner } from '../member-options.ts';
import { MemberTableSkeleton } from './member-columns.tsx';
import { MemberTable } from './member-table.tsx';
import { TeamHeading } from './team-heading.tsx';

/** The members of the account, with role and when each was last seen. */
export function TeamPage({ session: rendered }: { session: Session }) {
  const { account, person } = rendered;
  const read = useQuery({
    ...routeQuery(account.id, 'listMembers'),
    refetchInterval: pageRefetchInterval,
  });
  const { data, error } = read;
  const { actions, failedReminder, shownDialog, closeDialog } = useMemberActions(account.id);
  const invitationActions = useInvitationActions(account.id);
  const finalFocus = useReturnFocus(shownDialog?.opener ?? null, data);
  useNavigationFocus(!read.isFetching);
  const members = dataIfPermitted(data, error);
  const self = members?.find(({ id }) => id === person.id);
  // The list says it first if someone changes the person's own role while the page is open.
  const session = { ...rendered, role: self?.role ?? rendered.role };
  useRefreshAfterChange(rendered.role, session.role);
  const mayInvite = mayAct(session.role, 'team.manage');
  useInvitationFromUrl(mayInvite, () => invitationActions.actions.onInvite(null));

  return (
    <>
      <TeamHeading
        action={
          mayInvite && (
            <Button
              variant="primary"
              icon={<UserPlus />}
              onClick={({ currentTarget }) => invitationActions.actions.onInvite(currentTarget)}
            >
              Invite member
            </Button>
          )
        }
      />
      {members && <RoleNote account={account} role={session.role} />}
      <ReadFailure what="The list" shown="the members" noun="members" read={read} />
      <LazyFailedActionPanel
        failed={
          failedReminder && {
            failedAction: failedReminder.failedAction,
            notDone: `${failedReminder.member.name} was not reminded`,
            unknown: `We could not confirm whether ${failedReminder.member.name} was reminded`,
            children: 'A member can be reminded once a day.',
          }
        }
        className="mb-6"
      />
      {read.isPending && <MemberTableSkeleton />}
      {members && (
        <>
          <MemberTable
            members={members}
            optionsOf={(member) => findMemberOptions(member, { session, members })}
            actions={actions}
            personId={person.id}
            mayReadAuditLog={mayAct(session.role, 'audit-log.read')}
            mayRemind={mayAct(session.role, 'team.manage')}
            factorRequiredFrom={account.second_factor_required_from}
            accountName={account.name}
            isBusy={read.isFetching}
          />
          {self && isOnlyOwner(self, members) && <OnlyOwnerNote />}
        </>
      )}
      <div className="mt-10 empty:hidden">
        <Invitations {...invitationActions} session={session} members={members ?? []} />
      </div>
      <InstallationSupportSection session={session} />
      <LazyMemberDialog
        shownDialog={shownDialog}
        session={session}
        finalFocus={finalFocus}
        onClosed={closeDialog}
      />
    </>
  );
}

/** Renders page and frame for the role that the person has now. */
function useRefreshAfterChange(rendered: Role, current: Role) {
  const router = useRouter();
  useEffect(() => {
    if (current !== rendered) router.refresh();
  }, [rendered, current, router]);
}

/**
 * Opens the dialog to invite someone if the URL has `?act=invite`, to which the command palette
 * links. Back and a reload open only the page. Unlike `useActionFromUrl`, it also works while the
 * page is already open, because the palette can be used there.
 */
function useInvitationFromUrl(mayInvite: boolean, onInvite: () => void): void {
  const isRequested = useSearchParams().get('act') === 'invite';
  const open = useEffectEvent(() => {
    window.history.replaceState(null, '', window.location.pathname);
    if (mayInvite) onInvite();
  });
  useEffect(() => {
    if (isRequested) open();
  }, [isRequested]);
}

type RoleNoteProps = Pick<Session, 'account' | 'role'>;

/** Shows who can change the team, to those who cannot. */
function RoleNote({ account, role }: RoleNoteProps) {
  if (mayAct(role, 'team.manage')) return null;
  return (
    <Note icon={<Lock />} className="mb-6 text-small max-sm:mb-4">
      Your role, {roleTable[role].label}, lets you view the team but not change it. An owner or an
      admin of {account.name} can change it.
    </Note>
  );
}

/** Below the table: why the person cannot leave. */
function OnlyOwnerNote() {
  return (
    <Note className="mt-4 text-small">
      You are the only owner. To leave this account or change your own role, make another member an
      owner first.
    </Note>
  );
}

/** The dialog that is open for a member, loaded after the page. */
const LazyMemberDialog = lazyShownDialog<ShownMemberDialog, Omit<MemberDialogProps, 'shownDialog'>>(
  async () => (await import('../actions/member-dialog.tsx')).MemberDialog,
  ({ kind, member }) => `${kind} ${member.id}`,
);
