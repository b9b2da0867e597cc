'use client';

import { ConfirmDialog } from '#components/shell/actions/action-dialogs.tsx';
import { useAction } from '#components/shell/actions/use-action.ts';
import type { FocusTarget } from '#components/ui/overlays/dialog.tsx';
import { createRecoveryCodes } from '#lib/actions/people/person.ts';

import { useCodesGuard } from './use-codes-guard.ts';

type CreateRecoveryCodesProps = {
  oldCodes: number;
  finalFocus: FocusTarget;
  onClose: () => void;
  onCreated: (codes: readonly string[], message: string) => void;
};

/** Asks for confirmation before new recovery codes replace the old ones. */
export function CreateRecoveryCodes({
  oldCodes,
  finalFocus,
  onClose,
  onCreated,
}: CreateRecoveryCodesProps) {
  const { run, ...action } = useAction();
  const guardCodes = useCodesGuard(true);
  return (
    <ConfirmDialog
      title="Create new codes"
      sentence={
        oldCodes === 0
          ? 'You get 10 new codes.'
          : `You get 10 new codes. The ${oldCodes === 1 ? 'one you have left stops' : `${oldCodes} you have left stop`} working.`
      }
      action={action}
      failure={{
        adviceIfUnknown:
          'If new codes were created, the old ones no longer work. Press Create new codes again to get codes that do.',
      }}
      onConfirm={() =>
        run(() => guardCodes(createRecoveryCodes), {
          onDone: ({ data }) =>
            onCreated(
              data.recovery_codes,
              'You have new recovery codes. The old ones no longer work.',
            ),
        })
      }
      onClose={onClose}
      finalFocus={finalFocus}
    />
  );
}
