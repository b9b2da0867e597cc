'use client';

import { useId } from 'react';

import type { FocusTarget } from '#components/ui/overlays/dialog.tsx';
import type { Session } from '#lib/contract/people/sessions.ts';

import { ActionDialog } from '../actions/action-dialog.tsx';
import { DialogForm } from '../actions/dialog-form.tsx';
import { ReasonField, useReasonForm } from './reason-form.tsx';

type ChangeReasonProps = { session: Session; finalFocus: FocusTarget; onClose: () => void };

/** The dialog in which installation support says that they are in an account for another reason. */
export function ChangeReason({ session, finalFocus, onClose }: ChangeReasonProps) {
  const formId = useId();
  const { name } = session.account;
  const form = useReasonForm(session, { onDone: onClose });
  return (
    <ActionDialog
      title="Change reason"
      sentence={`Each ticket needs its own reason. It begins a new visit of ${name}.`}
      notDone="The reason was not changed"
      unknown="We could not confirm whether the reason was changed"
      action={form}
      formId={formId}
      onClose={onClose}
      finalFocus={finalFocus}
    >
      <DialogForm id={formId} {...form.attributes}>
        <ReasonField form={form} accountName={name} />
      </DialogForm>
    </ActionDialog>
  );
}
