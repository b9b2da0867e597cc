import { CircleAlert } from 'lucide-react';
import {
  type ReactNode,
  type RefObject,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { Button } from '#components/ui/buttons/button.tsx';
import { Banner } from '#components/ui/feedback/banner.tsx';
import { Dialog, type FocusTarget } from '#components/ui/overlays/dialog.tsx';
import { QuestionDialog } from '#components/ui/overlays/question-dialog.tsx';
import { useShowPersistently } from '#components/ui/rendering/persistent-overlay.tsx';
import { cn } from '#lib/class-names/cn.ts';
import { type ConfirmationOutcome, useOneTimeClosing } from './use-one-time-closing.ts';

/** What the shown value needs from the dialog around it. */
export type OneTimeDialogContext = {
  /** From then on the value is not rendered. */
  isClosed: boolean;
  /** Has the focus at first. */
  copyButton: RefObject<HTMLButtonElement | null>;
  /** Announces something in the dialog's live region. */
  onAnnounce: (text: string) => void;
};

type OneTimeDialogProps = {
  title: string;
  sentence: ReactNode;
  /** "I have saved this token" */
  noun: SavedNoun;
  /** The question before it is closed without saving. */
  closeWarning: ReactNode;
  /** Shows the value. */
  children: (dialog: OneTimeDialogContext) => ReactNode;
  /** Replaces the value once it is known to be in use. */
  verified?: ReactNode;
  /** Records that the person has the value. The dialog stays open until this resolves. */
  confirm?: () => Promise<ConfirmationOutcome>;
  /**
   * Called after the dialog closed; `isSaved` if "saved" was ticked, and the value was not replaced
   * in the meantime. Unmount this component before you refetch: a refetch could lose the value.
   */
  onClosed: (isSaved: boolean) => void;
  /** The button that opened the dialog, or the row it belongs to. */
  finalFocus?: FocusTarget | undefined;
};

/**
 * The dialog around a value that is shown once. Mount it with the value, unmount it in `onClosed`.
 * It is rendered apart from the page, and stays open if the page fails.
 *
 * Done, X, Escape and Back close it once "saved" is ticked, and the value counts as confirmed;
 * before that, Done points to the checkbox, and the others ask for confirmation. A value that is
 * known to be in use counts as saved, and is not shown any longer. If the value was
 * replaced in the meantime, the dialog stays open and says so in place of the value. Reload and
 * closing the tab ask through the browser. A press outside does nothing. The value is not rendered
 * any more when the dialog closes, and before the page enters the back-forward cache.
 */
export function OneTimeDialog(props: OneTimeDialogProps) {
  const { onClosed } = props;
  const showPersistently = useShowPersistently();
  const hasClosed = useRef(false);

  function close(isSaved: boolean) {
    hasClosed.current = true;
    showPersistently(null);
    onClosed(isSaved);
  }

  // In the commit that mounts it: if the page fails in the same commit, nothing later runs.
  useLayoutEffect(() => {
    if (!hasClosed.current) showPersistently(<ShownDialog {...props} onClosed={close} />);
  });
  return null;
}

function ShownDialog({
  title,
  sentence,
  noun,
  closeWarning,
  children,
  verified,
  confirm,
  onClosed,
  finalFocus,
}: OneTimeDialogProps) {
  const [announcement, setAnnouncement] = useState('');
  const copyButton = useRef<HTMLButtonElement>(null);
  const checkbox = useRef<HTMLInputElement>(null);
  const doneButton = useRef<HTMLButtonElement>(null);
  const isVerified = verified !== undefined;
  const closing = useOneTimeClosing({ confirm, isVerified, onClosed, checkbox, doneButton });
  const { isSaved, isReplaced, isClosed } = closing;

  useEffect(() => {
    // The focused field is removed.
    if (isVerified) doneButton.current?.focus();
  }, [isVerified]);

  return (
    <Dialog
      open={!isClosed}
      onClose={(how) => {
        if (how !== 'outside') closing.tryClose();
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
            pending={closing.isConfirming}
            onClick={closing.done}
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
      ) : isVerified ? (
        verified
      ) : (
        <>
          {children({ isClosed, copyButton, onAnnounce: setAnnouncement })}
          <SavedConfirmation
            noun={noun}
            checkbox={checkbox}
            isSaved={isSaved}
            isMissing={closing.isMissing}
            onChange={closing.setIsSaved}
          />
        </>
      )}
      <QuestionDialog
        open={closing.isAsking}
        title="Close without saving?"
        stay="Keep it open"
        onStay={closing.keepOpen}
        leave="Close anyway"
        onLeave={closing.closeAnyway}
        finalFocus={copyButton}
      >
        {closeWarning}
      </QuestionDialog>
    </Dialog>
  );
}

type SavedNoun = 'token' | 'secret' | 'codes' | 'link';

type SavedConfirmationProps = {
  noun: SavedNoun;
  checkbox: RefObject<HTMLInputElement | null>;
  isSaved: boolean;
  isMissing: boolean;
  onChange: (isSaved: boolean) => void;
};

/** "I have saved this token". Copying does not tick it. After Done, says what is missing. */
function SavedConfirmation({
  noun,
  checkbox,
  isSaved,
  isMissing,
  onChange,
}: SavedConfirmationProps) {
  const id = useId();
  const these = noun === 'codes' ? 'these codes' : `this ${noun}`;
  return (
    <label
      className={cn(
        'flex gap-2.5 rounded-3 border px-3.5 py-3 transition-colors',
        isMissing ? 'border-bad-mark bg-bad-soft' : 'border-line-strong',
      )}
    >
      <input
        ref={checkbox}
        type="checkbox"
        checked={isSaved}
        onChange={(event) => onChange(event.target.checked)}
        aria-labelledby={`${id}-label`}
        aria-describedby={`${id}-about`}
        aria-invalid={isMissing || undefined}
        className="tick-box"
      />
      <span className="min-w-0">
        <span id={`${id}-label`} className="block font-medium">
          I have saved {these}
        </span>
        <span
          id={`${id}-about`}
          className={cn(
            'flex gap-1.5 text-small text-pretty',
            isMissing ? 'mt-0.5 text-bad' : 'text-ink-3',
          )}
        >
          {isMissing && <CircleAlert aria-hidden className="icon-14 mt-[3px]" />}
          <span>
            {isMissing
              ? `Select this checkbox first. After Done, ${these} cannot be shown again.`
              : places[noun]}
          </span>
        </span>
      </span>
    </label>
  );
}

const places: Record<SavedNoun, string> = {
  token: 'In a password manager, or in your server’s secrets.',
  secret: 'In a password manager, or in your server’s secrets.',
  codes: 'In a password manager or on paper, not on this device alone.',
  link: 'Or sent it to the person you are inviting.',
};
