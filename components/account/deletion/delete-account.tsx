import { Trash2 } from 'lucide-react';
import { useRef, useState } from 'react';
import { Button } from '#components/ui/buttons/button.tsx';
import { lazyDialog } from '#components/ui/overlays/lazy-shown-dialog.tsx';
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
      <LazyConfirmDeletion
        isOpen={isAsking}
        account={account}
        consequence={consequence}
        finalFocus={button}
        onClose={() => setIsAsking(false)}
      />
    </SettingsGroup>
  );
}

const LazyConfirmDeletion = lazyDialog(
  async () => (await import('./confirm-deletion.tsx')).ConfirmDeletion,
);
