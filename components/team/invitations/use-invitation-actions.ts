import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useToast } from '#components/ui/feedback/toast.tsx';
import type { Invitation } from '#lib/contract/people/invitations.ts';
import { routeQuery } from '#lib/queries/route-query.ts';
import type { Renewal } from '../invitation-options.ts';

/** The focus returns to `opener` afterwards. */
export type InvitationActions = {
  onInvite: (opener: HTMLElement | null) => void;
  onRenew: (invitation: Invitation, renewal: Renewal, opener: HTMLElement | null) => void;
  onRevoke: (invitation: Invitation, opener: HTMLElement | null) => void;
};

/** How the dialog ended. */
export type InvitationDialogOutcome =
  | { kind: 'cancelled' }
  | { kind: 'mailed'; email: string }
  | { kind: 'link-shown' }
  | { kind: 'revoked'; invitation: Invitation };

export type InvitationActionsState = {
  actions: InvitationActions;
  shownDialog: ShownInvitationDialog | null;
  closeDialog: (outcome: InvitationDialogOutcome) => void;
};

export function useInvitationActions(accountId: string): InvitationActionsState {
  const [shownDialog, setShownDialog] = useState<ShownInvitationDialog | null>(null);
  const queryClient = useQueryClient();
  const toast = useToast();
  const { queryKey } = routeQuery(accountId, 'listInvitations');

  function closeDialog(outcome: InvitationDialogOutcome) {
    setShownDialog(null);
    if (outcome.kind === 'mailed') toast(`Invitation sent to ${outcome.email}`);
    if (outcome.kind === 'revoked') {
      const { uuid, email } = outcome.invitation;
      queryClient.setQueryData(queryKey, (list) => list?.filter((one) => one.uuid !== uuid));
      toast(`Invitation for ${email} revoked`);
    }
    // Also if nothing was done: the list shows why, such as that it was accepted in the meantime.
    void queryClient.invalidateQueries({ queryKey });
  }

  return {
    actions: {
      onInvite: (opener) => setShownDialog({ kind: 'invite', opener }),
      onRenew: (invitation, renewal, opener) =>
        setShownDialog({ kind: 'renew', invitation, renewal, opener }),
      onRevoke: (invitation, opener) => setShownDialog({ kind: 'revoke', invitation, opener }),
    },
    shownDialog,
    closeDialog,
  };
}

export type ShownInvitationDialog = { opener: HTMLElement | null } & (
  | { kind: 'invite' }
  | { kind: 'renew'; invitation: Invitation; renewal: Renewal }
  | { kind: 'revoke'; invitation: Invitation }
);
