'use client';

import { type ReactNode } from 'react';

import type { FocusTarget } from '#components/ui/overlays/dialog.tsx';

import { FormDialog } from '../actions/action-dialogs.tsx';
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
  return (
    <FormDialog
      title={texts.title}
      sentence={texts.sentence}
      size="narrow"
      form={form}
      buttons={{ confirm: texts.button, disabledReason }}
      failure={{
        notDone: texts.notDone,
        unknown: texts.unknown,
        adviceIfUnknown: 'Trying again is safe.',
        rateLimit: 'For security, the number of attempts is limited.',
      }}
      typed="code"
      onClose={onCancel}
      {...focus}
    >
      {before}
      {children}
      {after}
    </FormDialog>
  );
}
