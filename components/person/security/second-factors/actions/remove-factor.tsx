'use client';

import { ConfirmDialog } from '#components/shell/actions/action-dialogs.tsx';
import { useAction } from '#components/shell/actions/use-action.ts';
import type { FocusTarget } from '#components/ui/overlays/dialog.tsx';
import { removeApp, removePasskey } from '#lib/actions/people/person.ts';

import type { ShownFactorDialog } from './shown-factor-dialog.ts';

type RemoveFactorProps = {
  factor: Extract<ShownFactorDialog, { kind: 'remove-passkey' | 'remove-app' }>;
  /** Whether it is the only second factor. */
  isLast: boolean;
  finalFocus: FocusTarget;
  onClose: () => void;
  onDone: (message: string) => void;
};

/** Asks for confirmation before a passkey or the authenticator app is removed. */
export function RemoveFactor({ factor, isLast, finalFocus, onClose, onDone }: RemoveFactorProps) {
  const { run, ...action } = useAction();
  const name = factor.kind === 'remove-app' ? 'authenticator app' : factor.passkey.name;

  function remove() {
    const handle = { onDone: () => onDone(`${capitalize(name)} was removed.`) };
    if (factor.kind === 'remove-app') run(removeApp, handle);
    else
      run(() => removePasskey({ params: { passkey: factor.passkey.uuid } }), {
        ...handle,
        onNotFound: handle.onDone,
      });
  }

  return (
    <ConfirmDialog
      title={`Remove ${name}`}
      sentence={
        isLast
          ? 'It is your only second factor. Without it your password alone signs you in, and your recovery codes stop working.'
          : 'You can no longer use it to sign in or to confirm that it is you.'
      }
      action={action}
      buttons={{ tone: 'danger' }}
      failure={{ adviceIfUnknown: 'Trying again is safe.' }}
      onConfirm={remove}
      onClose={onClose}
      finalFocus={finalFocus}
    />
  );
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
