'use client';

import { Trash2 } from 'lucide-react';
import { type RefObject, useRef, useState } from 'react';

import { ConfirmDialog } from '#components/shell/actions/action-dialogs.tsx';
import { useAction } from '#components/shell/actions/use-action.ts';
import { Button } from '#components/ui/buttons/button.tsx';
import { deleteAccount } from '#lib/actions/people/account.ts';
import { accountPath } from '#lib/paths/account-path.ts';

import { SettingsGroup } from '../settings-group.tsx';
import { type DeletedCounts, describeDeletion } from './describe-deletion.ts';

type DeleteAccountProps = {
  account: { id: string; name: string };
  counts: DeletedCounts | undefined;
};

/** What an owner reads and presses to delete the account. */
export function DeleteAccount({ account, counts }: DeleteAccountProps) {
  const [isAsking, setIsAsking] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const consequence = describeDeletion(counts);
  return (
    <SettingsGroup id="delete" title="Delete account" description="Owners only." tone="danger">
      <p className="text-pretty text-ink-2">{consequence}</p>
      <div>
        <Button
          ref={button}
          icon={<Trash2 />}
          className="max-w-full text-bad! max-sm:w-full [&>svg]:text-bad!"
          onClick={() => setIsAsking(true)}
        >
          <span className="min-w-0 truncate">Delete {account.name}</span>
        </Button>
      </div>
      {isAsking && (
        <ConfirmDeletion
          account={account}
          consequence={consequence}
          finalFocus={button}
          onClose={() => setIsAsking(false)}
        />
      )}
    </SettingsGroup>
  );
}

type ConfirmDeletionProps = Pick<DeleteAccountProps, 'account'> & {
  consequence: string;
  finalFocus: RefObject<HTMLButtonElement | null>;
  onClose: () => void;
};

function ConfirmDeletion({ account, consequence, finalFocus, onClose }: ConfirmDeletionProps) {
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
      onClose={onClose}
      finalFocus={finalFocus}
    />
  );
}
