'use client';

import { Clock } from 'lucide-react';
import type { ReactNode } from 'react';

import type { FocusTarget } from '#components/ui/overlays/dialog.tsx';
import { Note } from '#components/ui/feedback/note.tsx';

import type { SecretKind } from '../leaving/use-leave-guard.ts';
import { OneTimeDialog } from './one-time-dialog.tsx';
import { SecretBox } from './secret-box.tsx';
import type { ConfirmationOutcome } from './use-one-time-closing.ts';

type OneTimeSecretProps = {
  kind: SecretKind;
  /** The name of the key or webhook. */
  subject: string;
  /** The secret. Remove it from your state in `onClosed`, and store it nowhere else. */
  value: string;
  /** The variable in the .env line: `MESSAGING_API_KEY`. */
  envName: string;
  /** Below the title: that the secret is shown once, and what to do if it is lost. */
  sentence: ReactNode;
  /** After a rotation: until when the old one works. */
  note?: ReactNode;
  /** Added to the question before closing without saving: whether the old one still works. */
  closeWarning?: ReactNode;
  /** Below the note, such as how to verify a signature. */
  children?: ReactNode;
  /** Records that the person has the secret. The dialog stays open until this resolves. */
  confirm: () => Promise<ConfirmationOutcome>;
  /**
   * Called after the dialog closed; `isSaved` if "saved" was ticked, and the secret was not
   * replaced meanwhile. Unmount this component before you refetch: a refetch could lose the secret.
   */
  onClosed: (isSaved: boolean) => void;
  /** The button that opened the dialog, or the row it belongs to. */
  finalFocus?: FocusTarget;
};

/**
 * Shows a secret once, as `OneTimeDialog` says. The value is only in this component and its field,
 * and both are cleared when the dialog closes and before the page enters the back-forward cache.
 */
export function OneTimeSecret({
  kind,
  subject,
  value,
  envName,
  sentence,
  note,
  closeWarning,
  children,
  confirm,
  onClosed,
  finalFocus,
}: OneTimeSecretProps) {
  return (
    <OneTimeDialog
      title={`New ${kind} for ${subject}`}
      sentence={sentence}
      noun={kind === 'token' ? 'token' : 'secret'}
      closeWarning={
        <>
          The new {kind} for {subject} cannot be shown again. {closeWarning}
        </>
      }
      confirm={confirm}
      onClosed={onClosed}
      finalFocus={finalFocus}
    >
      {({ isClosed, ...dialog }) => (
        <>
          <SecretBox
            {...dialog}
            kind={kind}
            subject={subject}
            value={isClosed ? '' : value}
            envName={envName}
          />
          {note !== undefined && <Note icon={<Clock />}>{note}</Note>}
          {children}
        </>
      )}
    </OneTimeDialog>
  );
}
