'use client';

import { Clock } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';

import { Button } from '#components/ui/buttons/button.tsx';
import { Dialog, type FocusTarget } from '#components/ui/overlays/dialog.tsx';
import { Note } from '#components/ui/feedback/note.tsx';
import { QuestionDialog } from '#components/ui/overlays/question-dialog.tsx';

import { SavedConfirmation } from './saved-confirmation.tsx';
import { SecretBox } from './secret-box.tsx';
import type { SecretKind } from './leave-guard.tsx';
import { useHistoryGuard } from './use-history-guard.ts';
import { useClearOnLeave } from './use-clear-on-leave.ts';
import { warnBeforeUnload } from './warn-before-unload.ts';

export type OneTimeSecretProps = {
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
  confirm: () => Promise<void>;
  /**
   * Called after the dialog closed; `isSaved` if "saved" was ticked. Unmount this component before
   * you refetch: a refetch could lose the secret.
   */
  onClosed: (isSaved: boolean) => void;
  /** The button that opened the dialog, or the row it belongs to. */
  finalFocus?: FocusTarget;
};

/**
 * Shows a secret once. Mount it with the value, unmount it in `onClosed`.
 *
 * Done, X, Escape and Back close it once "saved" is ticked, and the secret counts as confirmed;
 * before that, Done points to the checkbox, and the others ask for confirmation. Reload and closing the tab ask through the
 * browser. A press outside does nothing. The value is only in this component and its field, and
 * both are cleared when the dialog closes and before the page enters the back-forward cache.
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
  const [isSaved, setSaved] = useState(false);
  const [showsReminder, setShowsReminder] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const [isConfirming, setConfirming] = useState(false);
  const [isClosed, setClosed] = useState(false);
  const hasEnded = useRef(false);
  const [announcement, setAnnouncement] = useState('');
  const copyButton = useRef<HTMLButtonElement>(null);
  const checkbox = useRef<HTMLInputElement>(null);
  const releaseHistory = useHistoryGuard(tryClose);

  const noun = kind === 'token' ? 'token' : 'secret';

  function tryClose() {
    if (isSaved) void close();
    else setAsking(true);
  }

  async function close() {
    setAsking(false);
    // Meanwhile X, Escape and Back close it at once.
    if (isSaved && !isConfirming) {
      setConfirming(true);
      await confirm();
    }
    // Clears the field at once; `onClosed` is called after the history entry is removed.
    setClosed(true);
    await releaseHistory();
    if (hasEnded.current) return;
    hasEnded.current = true;
    onClosed(isSaved);
  }

  function done() {
    if (isSaved) {
      void close();
      return;
    }
    setShowsReminder(true);
    checkbox.current?.focus();
  }

  useUnloadWarning(!isSaved && !isClosed);
  useClearOnLeave(
    () => setClosed(true),
    () => onClosed(false),
  );

  return (
    <Dialog
      open={!isClosed}
      onClose={(how) => {
        if (how !== 'outside') tryClose();
      }}
      ignoresOutsidePress
      title={`New ${kind} for ${subject}`}
      sentence={sentence}
      initialFocus={copyButton}
      finalFocus={finalFocus}
      footer={
        <>
          <span
            role="status"
            className="mr-auto min-w-0 text-small text-pretty text-ink-3 max-sm:w-full max-sm:empty:hidden"
          >
            {announcement}
          </span>
          <Button variant="primary" pending={isConfirming} onClick={done}>
            Done
          </Button>
        </>
      }
    >
      <SecretBox
        kind={kind}
        subject={subject}
        value={isClosed ? '' : value}
        envName={envName}
        copyButton={copyButton}
        onAnnounce={setAnnouncement}
      />
      {note !== undefined && <Note icon={<Clock />}>{note}</Note>}
      {children}
      <SavedConfirmation
        noun={noun}
        checkbox={checkbox}
        isSaved={isSaved}
        isMissing={showsReminder && !isSaved}
        onChange={setSaved}
      />
      <QuestionDialog
        open={isAsking}
        title="Close without saving?"
        stay="Keep it open"
        onStay={() => setAsking(false)}
        leave="Close anyway"
        onLeave={() => void close()}
        finalFocus={copyButton}
      >
        The new {kind} for {subject} cannot be shown again. {closeWarning}
      </QuestionDialog>
    </Dialog>
  );
}

function useUnloadWarning(isOn: boolean) {
  useEffect(() => (isOn ? warnBeforeUnload() : undefined), [isOn]);
}
