import { useState } from 'react';
import { ConfirmDialog, type DialogClosing } from '#components/shell/actions/action-dialogs.tsx';
import { useAction } from '#components/shell/actions/use-action.ts';
import { deleteAccount } from '#lib/actions/people/account.ts';
import { accountPath } from '#lib/paths/account-path.ts';

type ConfirmDeletionProps = DialogClosing & {
  account: { id: string; name: string };
  consequence: string;
};

/** Prompts an owner to type the name of the account before it is deleted. */
export function ConfirmDeletion({ account, consequence, ...dialog }: ConfirmDeletionProps) {
  const { run, ...action } = useAction();
  const [isDone, setIsDone] = useState(false);

  function confirm() {
    run(() => deleteAccount({ body: { name: account.name } }), {
      onDone() {
        setIsDone(true);
        // A full page load, so that no data of the account stays in memory.
        window.location.assign(accountPath(account.id, 'settings/account'));
      },
    });
  }

  return (
    <ConfirmDialog
      title={`Delete ${account.name}`}
      sentence={consequence}
      action={{ ...action, isPending: action.isPending || isDone }}
      buttons={{ tone: 'danger' }}
      typedName={account.name}
      failure={{ adviceIfUnknown: 'Deleting again is safe.' }}
      onConfirm={confirm}
      {...dialog}
    />
  );
}
