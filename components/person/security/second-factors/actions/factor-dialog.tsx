'use client';

import type { ShownFactorDialog } from './shown-factor-dialog.ts';
import { AddPasskey } from './add-passkey.tsx';
import { CreateRecoveryCodes } from './create-recovery-codes.tsx';
import { NewRecoveryCodes } from './new-recovery-codes.tsx';
import { RemoveFactor } from './remove-factor.tsx';
import { RenamePasskey } from './rename-passkey.tsx';
import { SetUpApp } from './set-up-app.tsx';

export type FactorDialogProps = {
  shownDialog: ShownFactorDialog;
  /** How many recovery codes there were before. */
  oldCodes: number;
  /** How many passkeys and apps there are. */
  factorCount: number;
  /** Shows another dialog in its place. */
  onOpen: (dialog: ShownFactorDialog) => void;
  onClose: () => void;
  /** Called with a message about what was done. */
  onDone: (message: string) => void;
};

/** The dialog that is open. */
export function FactorDialog({
  shownDialog,
  oldCodes,
  factorCount,
  onOpen,
  onClose,
  onDone,
}: FactorDialogProps) {
  const finalFocus = () => (shownDialog.opener?.isConnected === true ? shownDialog.opener : null);
  const shared = { finalFocus, onClose, onDone };
  const isFirst = factorCount === 0;

  /** The first second factor brings recovery codes, which are shown next. */
  function onAdded(codes: readonly string[] | null, message: string) {
    if (codes === null) onDone(message);
    else onOpen({ kind: 'codes', codes, message, opener: shownDialog.opener });
  }

  switch (shownDialog.kind) {
    case 'add-passkey':
      return <AddPasskey {...shared} isFirst={isFirst} onAdded={onAdded} />;
    case 'rename-passkey':
      return <RenamePasskey {...shared} passkey={shownDialog.passkey} />;
    case 'set-up-app':
      return <SetUpApp {...shared} isFirst={isFirst} onAdded={onAdded} />;
    case 'remove-passkey':
    case 'remove-app':
      return <RemoveFactor {...shared} factor={shownDialog} isLast={factorCount === 1} />;
    case 'create-codes':
      return <CreateRecoveryCodes {...shared} oldCodes={oldCodes} onCreated={onAdded} />;
    case 'codes':
      return (
        <NewRecoveryCodes
          codes={shownDialog.codes}
          finalFocus={finalFocus}
          onClosed={() => onDone(shownDialog.message)}
        />
      );
  }
}
