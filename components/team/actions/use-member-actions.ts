import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useAction } from '#components/shell/actions/use-action.ts';
import type { FailedAction } from '#components/shell/actions/use-failure-state.ts';
import { useToast } from '#components/ui/feedback/toast.tsx';
import { remindMember } from '#lib/actions/people/account.ts';
import type { Member } from '#lib/contract/people/members.ts';
import { type Role, roleTable } from '#lib/contract/rights/roles.ts';
import { routeQuery } from '#lib/queries/route-query.ts';

/** Starts an action on a member. The focus returns to `opener` afterwards. */
type MemberHandler = (member: Member, opener: HTMLElement | null) => void;

export type MemberActions = {
  onChangeRole: (member: Member, role: Role, opener: HTMLElement | null) => void;
  onRemove: MemberHandler;
  /** Takes the person who is signed in out of the account. */
  onLeave: MemberHandler;
  /** Emails a member who needs a second factor. */
  onRemind: (member: Member) => void;
};

/** How the dialog ended. */
export type MemberDialogOutcome =
  | { kind: 'cancelled' }
  | { kind: 'role-changed'; member: Member }
  | { kind: 'removed'; member: Member };

type MemberActionsState = {
  actions: MemberActions;
  shownDialog: ShownMemberDialog | null;
  /** The latest reminder that was not sent. */
  failedReminder: { member: Member; failedAction: FailedAction } | null;
  closeDialog: (outcome: MemberDialogOutcome) => void;
};

export function useMemberActions(accountId: string): MemberActionsState {
  const [shownDialog, setShownDialog] = useState<ShownMemberDialog | null>(null);
  const [reminded, setReminded] = useState<Member | null>(null);
  const { run, failedAction } = useAction();
  const queryClient = useQueryClient();
  const toast = useToast();
  const { queryKey } = routeQuery(accountId, 'listMembers');

  function closeDialog(outcome: MemberDialogOutcome) {
    setShownDialog(null);
    if (outcome.kind === 'removed') {
      const { member } = outcome;
      queryClient.setQueryData(queryKey, (list) => list?.filter(({ id }) => id !== member.id));
      toast(`${member.name} removed`);
    } else if (outcome.kind === 'role-changed') {
      const { member } = outcome;
      queryClient.setQueryData(queryKey, (list) =>
        list?.map((one) => (one.id === member.id ? member : one)),
      );
      toast(`Role of ${member.name} changed to ${roleTable[member.role].label}`);
    }
    // Also if nothing was done: the list shows why, such as that the member was removed already.
    void queryClient.invalidateQueries({ queryKey });
  }

  return {
    actions: {
      onChangeRole: (member, role, opener) =>
        setShownDialog({ kind: 'change-role', member, role, opener }),
      onRemove: (member, opener) => setShownDialog({ kind: 'remove', member, opener }),
      onLeave: (member, opener) => setShownDialog({ kind: 'leave', member, opener }),
      onRemind: (member) => {
        setReminded(member);
        run(() => remindMember({ params: { member: member.id } }), {
          onDone: () => toast(`Reminder sent to ${member.name}`),
        });
      },
    },
    failedReminder: reminded && failedAction && { member: reminded, failedAction },
    shownDialog,
    closeDialog,
  };
}

export type ShownMemberDialog = { member: Member; opener: HTMLElement | null } & (
  | { kind: 'change-role'; role: Role }
  | { kind: 'remove' }
  | { kind: 'leave' }
);
