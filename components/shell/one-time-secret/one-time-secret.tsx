'use client';

import { Clock } from 'lucide-react';
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react';
import { flushSync } from 'react-dom';

import { Button } from '#components/ui/button.tsx';
import { Dialog, type FocusTarget } from '#components/ui/dialog.tsx';
import { Note } from '#components/ui/note.tsx';
import { QuestionDialog } from '#components/ui/question-dialog.tsx';

import { SavedConfirmation } from './saved-confirmation.tsx';
import { SecretBox } from './secret-box.tsx';
import { useHistoryGuard } from './use-history-guard.ts';

export type OneTimeSecretProps = {
  kind: 'token' | 'signing secret';
  /** The name of the key or webhook. */
  subject: string;
  /** The secret itself. Drop it from your state in `onClosed`, and keep it nowhere else. */
  value: string;
  /** The variable in the .env line: `MESSAGING_API_KEY`. */
  envName: string;
  /** Under the title: shown once; what to do if it is lost. */
  sentence: ReactNode;
  /** For a rotation: until when the old one works, exact, with zone. */
  note?: ReactNode;
  /** What the question before an unsaved close adds: whether the old one still works. */
  closeWarning?: ReactNode;
  /** Below the note: how to check a signature, say. */
  children?: ReactNode;
  /**
   * It is closed and forgotten; `isSaved` if "saved" was ticked. Unmount this, then refetch: a
   * refetch before would lose the secret.
   */
  onClosed: (isSaved: boolean) => void;
  /** The button it was opened from, or the row it belongs to. */
  finalFocus?: FocusTarget;
};

/**
 * Shows a secret once. Mount it with the value, unmount it in `onClosed`.
 *
 * It closes through Done, and through X, Escape and Back once "saved" is ticked; before that these
 * ask. Reload and tab close ask through the browser. A press outside does nothing. The value lives
 * in this component and its field alone; both are emptied as it closes, and as the page is put
 * aside for the back-forward cache.
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
  onClosed,
  finalFocus,
}: OneTimeSecretProps) {
  const [isSaved, setSaved] = useState(false);
  const [showsReminder, setShowsReminder] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const [isClosed, setClosed] = useState(false);
  const [announcement, setAnnouncement] = useState('');
  const copyButton = useRef<HTMLButtonElement>(null);
  const checkbox = useRef<HTMLInputElement>(null);
  const releaseHistory = useHistoryGuard(tryClose);

  const noun = kind === 'token' ? 'token' : 'secret';

  function tryClose() {
    if (isSaved) close();
    else setAsking(true);
  }

  function close() {
    // Empties the field at once; the owner hears of it when the history entry is gone.
    setClosed(true);
    setAsking(false);
    void releaseHistory().then(() => onClosed(isSaved));
  }

  function done() {
    if (isSaved) {
      close();
      return;
    }
    setShowsReminder(true);
    checkbox.current?.focus();
  }

  useUnloadWarning(!isSaved && !isClosed);
  usePageHide(() => {
    // The page is frozen right after this event, so React must be through before it ends.
    flushSync(() => setClosed(true));
    onClosed(false);
  });

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
          <Button variant="primary" onClick={done}>
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
        onLeave={close}
        finalFocus={copyButton}
      >
        The new {kind} for {subject} cannot be shown again. {closeWarning}
      </QuestionDialog>
    </Dialog>
  );
}

/** Reload and tab close ask, in the browser's own words. */
function useUnloadWarning(isOn: boolean) {
  useEffect(() => {
    if (!isOn) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [isOn]);
}

function usePageHide(onHide: () => void) {
  const hide = useEffectEvent(onHide);
  useEffect(() => {
    const listener = () => hide();
    window.addEventListener('pagehide', listener);
    return () => window.removeEventListener('pagehide', listener);
  }, []);
}
