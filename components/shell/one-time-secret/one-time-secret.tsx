import { Clock } from 'lucide-react';
import type { ReactNode } from 'react';
import { Note } from '#components/ui/feedback/note.tsx';
import { useToast } from '#components/ui/feedback/toast.tsx';
import type { FocusTarget } from '#components/ui/overlays/dialog.tsx';
import type { ActionResult } from '#lib/actions/action-result.ts';
import { useAction } from '../actions/use-action.ts';
import type { SecretKind } from '../leaving/use-leave-guard.ts';
import { OneTimeDialog } from './one-time-dialog.tsx';
import { SecretBox } from './secret-box.tsx';
import type { ConfirmationOutcome } from './use-one-time-closing.ts';

type OneTimeSecretProps = {
  kind: SecretKind;
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
  /** Replaces the secret once it is known to be in use. */
  verified?: ReactNode;
  /** Records that the person has the secret. The dialog stays open in the meantime. */
  confirm: () => Promise<ActionResult>;
  /**
   * Called after the dialog closed; `isSaved` if "saved" was ticked, and the secret was not
   * replaced in the meantime. Unmount this component before you refetch: a refetch could lose the
   * secret.
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
  verified,
  confirm,
  onClosed,
  finalFocus,
}: OneTimeSecretProps) {
  const confirmInTime = useConfirmation(kind, subject);
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
      verified={verified}
      confirm={() => confirmInTime(confirm)}
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

/**
 * Returns a function that confirms the token or secret. Nobody has to wait for it: if it fails or
 * takes long, the token or secret stays unconfirmed, and its page lets the person confirm it later.
 */
function useConfirmation(kind: SecretKind, subject: string) {
  const { runInBackground } = useAction();
  const toast = useToast();

  async function run(confirm: () => Promise<ActionResult>) {
    let outcome: ConfirmationOutcome = 'unknown';
    await runInBackground(confirm, {
      onDone: () => {
        outcome = 'confirmed';
      },
      onNotDone: ({ code }) => {
        // The service refuses only a token or secret that is no longer the newest.
        if (code === 'VALIDATION_ERROR') outcome = 'replaced';
        else toast(`The new ${kind} could not be confirmed. Try again on the page of ${subject}.`);
      },
    });
    return outcome;
  }

  return async (confirm: () => Promise<ActionResult>): Promise<ConfirmationOutcome> => {
    const { promise: tooLate, resolve } = Promise.withResolvers<ConfirmationOutcome>();
    const timer = setTimeout(() => resolve('unknown'), maxWaitMs);
    const outcome = await Promise.race([run(confirm), tooLate]);
    clearTimeout(timer);
    return outcome;
  };
}

const maxWaitMs = 4000;
