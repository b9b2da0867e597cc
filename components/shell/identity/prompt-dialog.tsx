import type { ReactNode } from 'react';
import type { FocusTarget } from '#components/ui/overlays/dialog.tsx';
import { FormDialog } from '../actions/action-dialogs.tsx';
import type { FormState } from '../form/use-form.ts';

type PromptDialogProps = {
  texts: PromptTexts;
  form: FormState;
  /** Why the button is disabled, if no rate limit is the reason. */
  disabledReason?: string | undefined;
  /** Shown above and below the form. */
  before?: ReactNode;
  after?: ReactNode;
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

type PromptTexts = {
  title: string;
  sentence: string;
  button: string;
  notDone: string;
  unknown: string;
};

const proof = { title: 'Confirm it is you', button: 'Confirm' };

const signIn = {
  title: 'Sign in again',
  button: 'Sign in',
  notDone: 'Sign-in failed',
  unknown: 'We could not confirm whether you were signed in',
};

export const passwordTexts = {
  proof: {
    ...proof,
    sentence: 'This action needs your password.',
    notDone: 'Your password could not be checked',
    unknown: 'We could not confirm whether your password was accepted',
  },
  'sign-in': {
    ...signIn,
    sentence: 'Your session has ended. This page and what you typed stay as they are.',
  },
} satisfies Record<string, PromptTexts>;

/** Of the prompt that asks for the second factor. */
export const factorTexts = {
  proof: {
    ...proof,
    sentence: 'This action needs a passkey, or your password and a code.',
    notDone: 'Your identity could not be confirmed',
    unknown: 'We could not confirm whether your identity was confirmed',
  },
  'sign-in': {
    ...signIn,
    sentence: 'Your password is correct. Now confirm with your second factor.',
  },
} satisfies Record<string, PromptTexts>;
