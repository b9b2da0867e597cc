'use client';

import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';

import { Button } from '#components/ui/buttons/button.tsx';
import { Banner } from '#components/ui/feedback/banner.tsx';
import { Dialog, type FocusTarget } from '#components/ui/overlays/dialog.tsx';
import { QuestionDialog } from '#components/ui/overlays/question-dialog.tsx';

import { type SavedNoun, SavedConfirmation } from './saved-confirmation.tsx';
import { useClearOnLeave } from './use-clear-on-leave.ts';
import { useHistoryGuard } from '../leaving/use-history-guard.ts';
import { warnBeforeUnload } from '../leaving/warn-before-unload.ts';

/** What the shown value needs from the dialog around it. */
export type OneTimeDialogContext = {
  /** From then on the value is not rendered. */
  isClosed: boolean;
  /** Has the focus at first. */
  copyButton: RefObject<HTMLButtonElement | null>;
  /** Says something in the dialog's live region. */
  onAnnounce: (text: string) => void;
};

/**
 * Whether a value that a person saved is recorded as confirmed. `replaced`: it must not be used,
 * because it was replaced or ended while it was shown. `unknown`: it can be confirmed later.
 */
export type ConfirmationOutcome = 'confirmed' | 'replaced' | 'unknown';

type OneTimeDialogProps = {
  title: string;
  sentence: ReactNode;
  /** "I have saved this token" */
  noun: SavedNoun;
  /** The question before it is closed without saving. */
  closeWarning: ReactNode;
  /** Shows the value. */
  children: (dialog: OneTimeDialogContext) => ReactNode;
  /** Records that the person has the value. The dialog stays open until this resolves. */
  confirm?: () => Promise<ConfirmationOutcome>;
  /**
   * Called after the dialog closed; `isSaved` if "saved" was ticked, and the value was not replaced
   * meanwhile. Unmount this component before you refetch: a refetch could lose the value.
   */
  onClosed: (isSaved: boolean) => void;
  /** The button that opened the dialog, or the row it belongs to. */
  finalFocus?: FocusTarget | undefined;
};

/**
 * The dialog around a value that is shown once. Mount it with the value, unmount it in `onClosed`.
 *
 * Done, X, Escape and Back close it once "saved" is ticked, and the value counts as confirmed;
 * before that, Done points to the checkbox, and the others ask for confirmation. If the value was
 * replaced meanwhile, the dialog stays open and says so in place of the value. Reload and closing
 * the tab ask through the browser. A press outside does nothing. The value is not rendered any more
 * when the dialog closes, and before the page enters the back-forward cache.
 */
export function OneTimeDialog({
  title,
  sentence,
  noun,
  closeWarning,
  children,
  confirm,
  onClosed,
  finalFocus,
}: OneTimeDialogProps) {
  const [isSaved, setIsSaved] = useState(false);
  const [showsReminder, setShowsReminder] = useState(false);
  const [isAsking, setIsAsking] = useState(false);
  const [isConfirming, setIsConfirming] = useState(false);
  const [isReplaced, setIsReplaced] = useState(false);
  const [isClosed, setIsClosed] = useState(false);
  const hasEnded = useRef(false);
  const [announcement, setAnnouncement] = useState('');
  const copyButton = useRef<HTMLButtonElement>(null);
  const checkbox = useRef<HTMLInputElement>(null);
  const doneButton = useRef<HTMLButtonElement>(null);
  const releaseHistory = useHistoryGuard(tryClose);

  function tryClose() {
    if (isSaved) void close();
    else setIsAsking(true);
  }

  async function close() {
    setIsAsking(false);
    // Meanwhile X, Escape and Back close it at once.
    if (isSaved && !isConfirming) {
      setIsConfirming(true);
      const outcome = await confirm?.();
      if (outcome === 'replaced' && !hasEnded.current) {
        setIsReplaced(true);
        // The focused field may be removed.
        doneButton.current?.focus();
        return;
      }
    }
    // Clears the field at once; `onClosed` is called after the history entry is removed.
    setIsClosed(true);
    await releaseHistory();
    if (hasEnded.current) return;
    hasEnded.current = true;
    onClosed(isSaved && !isReplaced);
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
    () => setIsClosed(true),
    () => onClosed(false),
  );

  return (
    <Dialog
      open={!isClosed}
      onClose={(how) => {
        if (how !== 'outside') tryClose();
      }}
      ignoresOutsidePress
      title={title}
      sentence={isReplaced ? undefined : sentence}
      hasCloseButton={!isReplaced}
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
          <Button
            ref={doneButton}
            variant="primary"
            pending={isConfirming && !isReplaced}
            onClick={done}
          >
            {isReplaced ? 'Close' : 'Done'}
          </Button>
        </>
      }
    >
      {isReplaced ? (
        <Banner role="alert" tone="bad" title={`Do not use this ${noun}`}>
          It was replaced, or it ended, while it was shown here.
        </Banner>
      ) : (
        <>
          {children({ isClosed, copyButton, onAnnounce: setAnnouncement })}
          <SavedConfirmation
            noun={noun}
            checkbox={checkbox}
            isSaved={isSaved}
            isMissing={showsReminder && !isSaved}
            onChange={setIsSaved}
          />
        </>
      )}
      <QuestionDialog
        open={isAsking}
        title="Close without saving?"
        stay="Keep it open"
        onStay={() => setIsAsking(false)}
        leave="Close anyway"
        onLeave={() => void close()}
        finalFocus={copyButton}
      >
        {closeWarning}
      </QuestionDialog>
    </Dialog>
  );
}

function useUnloadWarning(isOn: boolean) {
  useEffect(() => (isOn ? warnBeforeUnload() : undefined), [isOn]);
}
