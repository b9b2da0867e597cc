import {
  type FormEvent,
  isValidElement,
  type ReactElement,
  type ReactNode,
  useId,
  useRef,
  useState,
} from 'react';
import { Button } from '#components/ui/buttons/button.tsx';
import { Field } from '#components/ui/inputs/form/field.tsx';
import { Form, type FormProps } from '#components/ui/inputs/form/form.tsx';
import { Input } from '#components/ui/inputs/input.tsx';
import { Dialog, type FocusTarget } from '#components/ui/overlays/dialog.tsx';
import { QuestionDialog } from '#components/ui/overlays/question-dialog.tsx';
import { ActionFailurePanel } from '../feedback/action-failure-panel.tsx';
import { RateLimitNotice } from '../feedback/rate-limit-notice.tsx';
import { ActionButton } from './action-button.tsx';
import { isSameText } from './is-same-text.ts';
import type { ActionState } from './use-sending.ts';

// The dialogs that run an action. Those that show a secret once are in `one-time-secret/`.

/** What every dialog gets from what opens it. */
export type DialogClosing = {
  onClose: () => void;
  /** Where the focus returns to. */
  finalFocus: FocusTarget;
};

type ActionDialogProps = DialogClosing & {
  /** Verb and object: "Revoke Production". */
  title: string;
  /** What the action does, in one sentence. */
  sentence: ReactNode;
  /** `Facts` to know before confirming, then choices, fields and notes. */
  children?: ReactNode;
  buttons?: {
    /** The label of the button that runs the action. By default the title. */
    confirm?: string;
    tone?: 'danger' | 'primary';
    /** Why that button is disabled, if no rate limit is the reason. */
    disabledReason?: string | undefined;
    cancel?: string;
  };
  /** The message if the action fails, or an element that shows it; null while nothing failed. */
  failure?: FailureTexts | ReactElement | null;
  size?: 'normal' | 'narrow';
};

export type FailureTexts = {
  /** Title of a failure: "The test was not sent". By default the dialog's title and "failed". */
  notDone?: string;
  /** Its title if the response was lost: "We could not confirm whether a test was sent". */
  unknown?: string;
  /** Added to the failure if the response was lost: whether trying again is safe. */
  adviceIfUnknown?: string;
  rateLimit?: string;
};

type ConfirmDialogProps = ActionDialogProps & {
  /** From `useAction`. */
  action: ActionState;
  onConfirm: () => void;
  /** For the most dangerous actions: this text must be typed before the button works. */
  typedName?: string | undefined;
};

/** Asks only whether to do something. Cancel has the focus at first. */
export function ConfirmDialog({ typedName, ...dialog }: ConfirmDialogProps) {
  return (
    <ActionDialog
      size="narrow"
      {...dialog}
      role="alertdialog"
      confirmation={
        typedName === undefined ? null : { label: 'Type the name to confirm', text: typedName }
      }
    />
  );
}

type FormDialogProps = ActionDialogProps & {
  /**
   * From `useForm`, whose first field has the focus at first. Or an action that the button runs
   * with what was chosen: then Cancel has the focus, and Enter does not submit.
   */
  form: ActionState &
    (
      | { attributes: Omit<FormProps, 'onSubmit'> & { onSubmit: () => void } }
      | { onConfirm: () => void }
    );
  /**
   * Why the dialog closes without a question although something was typed: it was sent, or it is a
   * code or a password. With a code the dialog also ignores a press outside, because another
   * program is needed to get it.
   */
  typed?: 'sent' | 'code' | undefined;
  /** These words must be typed before the button works. */
  typedWords?: string;
};

/** Prompts for choices or fields. By default, it confirms before it discards what was typed. */
export function FormDialog({ form, typedWords, children, ...dialog }: FormDialogProps) {
  const formId = useId();
  const isForm = 'attributes' in form;
  return (
    <ActionDialog
      {...dialog}
      role="dialog"
      action={form}
      {...(isForm ? { formId } : { onConfirm: form.onConfirm })}
      confirmation={
        typedWords === undefined ? null : { label: 'Type these words to confirm', text: typedWords }
      }
    >
      {isForm ? (
        <Form
          {...form.attributes}
          id={formId}
          onSubmit={(event) => {
            // React events bubble from a dialog to the component that rendered it, which may be
            // inside a form.
            event.stopPropagation();
            form.attributes.onSubmit();
          }}
          className="grid grid-cols-[minmax(0,1fr)] gap-5"
        >
          {children}
        </Form>
      ) : (
        children
      )}
    </ActionDialog>
  );
}

type BaseProps = ActionDialogProps & {
  action: ActionState;
  role: 'dialog' | 'alertdialog';
  /** What the confirm button submits, if it is a form. */
  formId?: string;
  onConfirm?: () => void;
  typed?: 'sent' | 'code' | undefined;
  /** What must be typed before the button works. */
  confirmation: { label: string; text: string } | null;
};

function ActionDialog({
  title,
  sentence,
  children,
  action,
  role,
  buttons: {
    confirm = title,
    tone = 'primary',
    disabledReason,
    cancel: cancelLabel = 'Cancel',
  } = {},
  failure: said,
  size = 'normal',
  formId,
  onConfirm,
  onClose,
  typed,
  confirmation,
  finalFocus,
}: BaseProps) {
  const cancel = useRef<HTMLButtonElement>(null);
  const confirmButton = useRef<HTMLButtonElement>(null);
  const [confirmed, setConfirmed] = useState('');
  const [wasTyped, setWasTyped] = useState(false);
  const [isAsking, setIsAsking] = useState(false);
  const isConfirmed = confirmation === null || isSameText(confirmed, confirmation.text);
  const isUnsaved = wasTyped && typed === undefined;
  const ignoresOutsidePress = isUnsaved || typed === 'code';
  const { isPending, failure, deadline } = action;
  const texts: FailureTexts = isValidElement(said) ? {} : (said ?? {});

  return (
    <Dialog
      open
      onClose={(how) => {
        if (how === 'outside' && ignoresOutsidePress) return;
        if (isUnsaved) setIsAsking(true);
        else onClose();
      }}
      role={role}
      size={size}
      ignoresOutsidePress={ignoresOutsidePress}
      isLocked={isPending}
      title={title}
      sentence={sentence}
      initialFocus={formId === undefined ? cancel : undefined}
      finalFocus={finalFocus}
      footer={
        <>
          <Button
            ref={cancel}
            onClick={onClose}
            disabledReason={isPending ? cancelDisabled : undefined}
          >
            {cancelLabel}
          </Button>
          <ActionButton
            {...(formId === undefined ? {} : { type: 'submit', form: formId })}
            ref={confirmButton}
            variant={tone}
            action={action}
            disabledReason={isConfirmed ? disabledReason : `Type ${confirmation.text} above first.`}
            onClick={onConfirm}
            className="h-auto min-h-control min-w-0 shrink py-1 whitespace-normal tabular-nums max-sm:flex-[2]!"
          >
            {/* The label ends with the name of the target, so it wraps instead of being
                truncated. */}
            <span className="min-w-0 text-left wrap-anywhere">{confirm}</span>
          </ActionButton>
        </>
      }
    >
      <div className="contents" onInput={(event) => isText(event) && setWasTyped(true)}>
        {children}
      </div>
      <RateLimitNotice
        keepsInput={formId !== undefined || wasTyped || confirmed !== ''}
        deadline={deadline}
      >
        {texts.rateLimit}
      </RateLimitNotice>
      {confirmation && (
        <Field
          label={
            <span className="min-w-0 wrap-anywhere">
              {confirmation.label}: {confirmation.text}
            </span>
          }
        >
          <Input
            value={confirmed}
            onChange={(event) => setConfirmed(event.target.value)}
            onKeyDown={(event) => {
              if (event.key === 'Enter') confirmButton.current?.click();
            }}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
          />
        </Field>
      )}
      {failure &&
        (isValidElement(said) ? (
          said
        ) : (
          <ActionFailurePanel
            failure={failure}
            notDone={texts.notDone ?? `${title} failed`}
            unknown={texts.unknown ?? 'We could not confirm whether this was done'}
            adviceIfUnknown={texts.adviceIfUnknown}
          />
        ))}
      <QuestionDialog
        open={isAsking}
        title="Discard what you typed?"
        stay="Keep editing"
        onStay={() => setIsAsking(false)}
        leave="Discard"
        onLeave={onClose}
      >
        It is not saved.
      </QuestionDialog>
    </Dialog>
  );
}

/** Whether something was typed into a field of the dialog, and not of a popup above it. */
function isText({ target, currentTarget }: FormEvent): boolean {
  if (!(target instanceof HTMLElement) || !currentTarget.contains(target)) return false;
  return !target.matches('[type=radio],[type=checkbox]');
}

const cancelDisabled = 'The request was sent and cannot be cancelled. Wait for its response.';
