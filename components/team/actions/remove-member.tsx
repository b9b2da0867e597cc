import { useQuery } from '@tanstack/react-query';
import { KeyRound, LifeBuoy, LogOut, ScrollText } from 'lucide-react';
import { ConfirmDialog, type DialogClosing } from '#components/shell/actions/action-dialogs.tsx';
import { useAction } from '#components/shell/actions/use-action.ts';
import { ReadFailure } from '#components/shell/page/read-failure.tsx';
import { Skeleton } from '#components/ui/data-display/skeleton.tsx';
import { Note } from '#components/ui/feedback/note.tsx';
import { removeMember } from '#lib/actions/people/account.ts';
import type { Session } from '#lib/contract/people/sessions.ts';
import type { Member } from '#lib/contract/people/members.ts';
import { routeQuery } from '#lib/queries/route-query.ts';
import { ShownSecretsList } from './shown-secrets-list.tsx';

type RemoveMemberProps = DialogClosing & {
  member: Member;
  account: Session['account'];
  onRemoved: () => void;
};

/**
 * The confirmation dialog before a member is removed. Lists what they could still use afterwards.
 * The list is read again whenever the person comes back from another tab, where they rotated a key.
 */
export function RemoveMember({ member, account, onRemoved, ...dialog }: RemoveMemberProps) {
  const { run, ...action } = useAction();
  const read = useQuery({
    ...routeQuery(account.id, 'listShownSecrets', { params: { member: member.id } }),
    staleTime: 0,
    gcTime: 0,
  });
  const { data: shown } = read;
  const { data: support } = useQuery(routeQuery(account.id, 'getInstallationSupport'));
  const canStillOpen =
    support?.is_allowed === true && support.people.some(({ id }) => id === member.id);

  return (
    <ConfirmDialog
      title={`Remove ${member.name}`}
      sentence={
        canStillOpen
          ? `${member.email} immediately stops being a member of ${account.name}.`
          : `${member.email} loses access to ${account.name} immediately.`
      }
      size="normal"
      action={action}
      buttons={{
        tone: 'danger',
        disabledReason: read.isPending ? 'Wait until the tokens are listed.' : undefined,
      }}
      failure={{ adviceIfUnknown: 'Trying again is safe.' }}
      onConfirm={() =>
        run(() => removeMember({ params: { member: member.id } }), {
          onDone: onRemoved,
          onNotFound: dialog.onClose,
        })
      }
      {...dialog}
    >
      <div aria-busy={read.isPending || undefined}>
        <p role="status" className="sr-only">
          {read.isPending && 'Loading the tokens that were shown to them.'}
        </p>
        {read.isPending && (
          <div aria-hidden className="grid gap-2">
            <Skeleton width={280} />
            <Skeleton width={220} />
          </div>
        )}
        <ReadFailure
          isLocal
          what="The list of tokens that were shown to them"
          noun="the tokens that were shown to them"
          shown="it"
          read={read}
        />
        {shown && <ShownSecretsList shown={shown} name={member.name} />}
      </div>
      <div className="grid gap-2.5">
        <Note icon={<LogOut />}>
          <strong>Their sessions end.</strong> Pages they have open stop working with their next
          request.
        </Note>
        <Note icon={<KeyRound />}>
          <strong>Keys and webhooks they created keep working.</strong> These belong to the account,
          not to the person.
        </Note>
        {canStillOpen && (
          <Note icon={<LifeBuoy />}>
            <strong>They support every account on this installation.</strong> They can still open{' '}
            {account.name} if they give a reason, until an owner turns that off.
          </Note>
        )}
        <Note icon={<ScrollText />}>The audit log keeps their name and past entries.</Note>
      </div>
    </ConfirmDialog>
  );
}
