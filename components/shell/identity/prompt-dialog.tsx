'use client';

import { type ReactNode, useId } from 'react';

import type { FocusTarget } from '#components/ui/overlays/dialog.tsx';

import { ActionDialog } from '../actions/action-dialog.tsx';
import { DialogForm } from '../actions/dialog-form.tsx';
import type { FormState } from '../form/use-form.ts';
import type { PromptTexts } from './prompt-texts.ts';

type PromptDialogProps = {
  texts: PromptTexts;
  form: FormState;
  /** Why the button is disabled, if no rate limit is the reason. */
  disabledReason?: string | undefined;
  /** Shown above and below the form. */
  before?: ReactNode;
  after?: ReactNode;
  /** The fields. */
  children: ReactNode;
  onCancel: () => void;
  /** By default the first field. */
  initialFocus?: FocusTarget;
  finalFocus: FocusTarget;
};

/** The dialog of an identity prompt, whose form takes what only the person knows or has. */
export function PromptDialog({
  texts,
  form,
  disabledReason,
  before,
  after,
  children,
  onCancel,
  ...focus
}: PromptDialogProps) {
  const formId = useId();
  return (
    <ActionDialog
      {...focus}
      title={texts.title}
      confirmLabel={texts.button}
      disabledReason={disabledReason}
      sentence={texts.sentence}
      size="narrow"
      ignoresOutsidePress
      discardsTyped
      action={form}
      rateLimit="For security, the number of attempts is limited."
      keepsInput
      notDone={texts.notDone}
      unknown={texts.unknown}
      adviceIfUnknown="Trying again is safe."
      formId={formId}
      onClose={onCancel}
    >
      {before}
      <DialogForm id={formId} {...form.attributes}>
        {children}
      </DialogForm>
      {after}
    </ActionDialog>
  );
}
