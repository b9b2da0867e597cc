import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import {
  ensureGuardedEntry,
  leaveGuardedEntry,
  onBackFromGuardedEntry,
} from '../leaving/guarded-entry.ts';
import { warnBeforeUnload } from '../leaving/warn-before-unload.ts';

/**
 * Whether a value that a person saved is recorded as confirmed. `replaced`: it must not be used,
 * because it was replaced or ended while it was shown. `unknown`: it can be confirmed later.
 */
export type ConfirmationOutcome = 'confirmed' | 'replaced' | 'unknown';

type OneTimeClosing = {
  confirm: (() => Promise<ConfirmationOutcome>) | undefined;
  /** Whether the value is known to be in use, so nothing has to be confirmed. */
  isVerified: boolean;
  onClosed: (isSaved: boolean) => void;
  checkbox: RefObject<HTMLInputElement | null>;
  doneButton: RefObject<HTMLButtonElement | null>;
};

/** Decides when `OneTimeDialog` closes, which of its questions it asks, and when it confirms. */
export function useOneTimeClosing({
  confirm,
  isVerified,
  onClosed,
  checkbox,
  doneButton,
}: OneTimeClosing) {
  const [isTicked, setIsSaved] = useState(false);
  const isSaved = isTicked || isVerified;
  const [showsReminder, setShowsReminder] = useState(false);
  const [isAsking, setIsAsking] = useState(false);
  const [isConfirming, setIsConfirming] = useState(false);
  const [isReplaced, setIsReplaced] = useState(false);
  const [isClosed, setIsClosed] = useState(false);
  const hasEnded = useRef(false);
  const releaseHistory = useHistoryGuard(tryClose);

  function tryClose() {
    if (isSaved) void close();
    else setIsAsking(true);
  }

  async function close() {
    setIsAsking(false);
    // In the meantime, X, Escape and Back close it immediately.
    if (isSaved && !isVerified && !isConfirming) {
      setIsConfirming(true);
      const outcome = await confirm?.();
      if (outcome === 'replaced' && !hasEnded.current) {
        setIsReplaced(true);
        // The focused field may be removed.
        doneButton.current?.focus();
        return;
      }
    }
    // Clears the field immediately; `onClosed` is called after the history entry is removed.
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

  return {
    isSaved,
    setIsSaved,
    /** Whether Done was pressed before "saved" was ticked. */
    isMissing: showsReminder && !isSaved,
    isConfirming: isConfirming && !isReplaced,
    isReplaced,
    /** From then on the value is not rendered. */
    isClosed,
    /** Whether it asks before it is closed without saving. */
    isAsking,
    keepOpen: () => setIsAsking(false),
    closeAnyway: () => void close(),
    tryClose,
    done,
  };
}

function useUnloadWarning(isOn: boolean) {
  useEffect(() => (isOn ? warnBeforeUnload() : undefined), [isOn]);
}

/**
 * Calls `onBack` when the browser's Back is pressed, and stays on the page. The returned function
 * ends that and resolves once it is done, so that a navigation can follow.
 */
function useHistoryGuard(onBack: () => void): () => Promise<void> {
  const isReleased = useRef(false);
  const stop = useRef(() => {});
  const back = useEffectEvent(onBack);

  useEffect(() => {
    isReleased.current = false;
    ensureGuardedEntry();
    stop.current = onBackFromGuardedEntry(() => back());
    return () => stop.current();
  }, []);

  return async () => {
    if (isReleased.current) return;
    isReleased.current = true;
    stop.current();
    await leaveGuardedEntry();
  };
}

/** Calls `clear`, which removes a secret, before the page enters the back-forward cache. */
function useClearOnLeave(clear: () => void, onCleared?: () => void): void {
  const onHide = useEffectEvent(() => {
    // The page is frozen right after this event, so React must render before it ends.
    flushSync(clear);
    onCleared?.();
  });
  useEffect(() => {
    const listener = () => onHide();
    window.addEventListener('pagehide', listener);
    return () => window.removeEventListener('pagehide', listener);
  }, []);
}
