import { useQuery } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { ReadFailure } from '#components/shell/page/read-failure.tsx';
import { useReturnFocus } from '#components/shell/page/use-return-focus.ts';
import type { Member } from '#lib/contract/people/members.ts';
import { mayAct } from '#lib/contract/rights/roles.ts';
import { pageRefetchInterval } from '#lib/queries/refetch-interval.ts';
import type { Session } from '#lib/contract/people/sessions.ts';
import { routeQuery } from '#lib/queries/route-query.ts';
import { lazyComponent } from '#components/ui/rendering/lazy-component.ts';
import { describeSupportMembers } from './describe-support-members.ts';
import { PendingInvitations } from './pending-invitations.tsx';
import type { InvitationActionsState } from './use-invitation-actions.ts';
import type { InvitationDialogProps } from './invitation-dialog.tsx';

type InvitationsProps = InvitationActionsState & { session: Session; members: readonly Member[] };

/** The pending invitations, for those who can change the team, and the dialog about one. */
export function Invitations({
  session,
  members,
  actions,
  shownDialog,
  closeDialog,
}: InvitationsProps) {
  const mayInvite = mayAct(session.role, 'team.manage');
  const read = useQuery({
    ...routeQuery(session.account.id, 'listInvitations'),
    refetchInterval: pageRefetchInterval,
    enabled: mayInvite,
  });
  const { data, error } = read;
  const finalFocus = useReturnFocus(shownDialog?.opener ?? null, data);
  const router = useRouter();
  // Data that was read before is no longer shown to a person who lost the role for it.
  const invitations = mayInvite ? data : undefined;

  return (
    <>
      {mayInvite && error && (
        <ReadFailure
          what="The list of pending invitations"
          shown="the invitations"
          noun="invitations"
          read={read}
        />
      )}
      {invitations && invitations.length > 0 && (
        <PendingInvitations invitations={invitations} session={session} actions={actions} />
      )}
      <LazyInvitationDialog
        shouldLoad={shownDialog !== null}
        shownDialog={shownDialog}
        session={session}
        supportMembers={describeSupportMembers(members)}
        finalFocus={finalFocus}
        onClosed={(outcome) => {
          closeDialog(outcome);
          // The session, which every page reads, includes what support can see.
          if (outcome.kind === 'mailed' || outcome.kind === 'link-shown') router.refresh();
        }}
      />
    </>
  );
}

type LazyInvitationDialogProps = Omit<InvitationDialogProps, 'shownDialog'> & {
  shownDialog: InvitationDialogProps['shownDialog'] | null;
};

/** The dialog that is open about invitations, loaded after the page. */
const LazyInvitationDialog = lazyComponent<LazyInvitationDialogProps>(async () => {
  const { InvitationDialog } = await import('./invitation-dialog.tsx');
  return ({ shownDialog, ...props }) =>
    shownDialog && <InvitationDialog shownDialog={shownDialog} {...props} />;
});
