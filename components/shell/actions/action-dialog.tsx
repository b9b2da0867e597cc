'use client';

import { type FormEvent, type ReactNode, useRef, useState } from 'react';

import { Button } from '#components/ui/buttons/button.tsx';
import { type Fact, Facts } from '#components/ui/data-display/facts.tsx';
import { Field } from '#components/ui/inputs/form/field.tsx';
import { Input } from '#components/ui/inputs/input.tsx';
import { Dialog, type FocusTarget } from '#components/ui/overlays/dialog.tsx';
import { QuestionDialog } from '#components/ui/overlays/question-dialog.tsx';

import { ActionFailurePanel } from '../feedback/action-failure-panel.tsx';
import { RateLimitNotice } from '../feedback/rate-limit-notice.tsx';
import { ActionButton } from './action-button.tsx';
import { isSameText } from './is-same-text.ts';
import type { ActionState } from './use-sending.ts';

type ActionDialogProps = {
  /** Verb and object: "Revoke Production". */
  title: string;
  /** What the action does, in one sentence. */
  sentence: ReactNode;
  /** What a person should know before they confirm, such as the last use. */
  facts?: readonly Fact[];
  /** Choices, reasons and notes, below the facts. */
  children?: ReactNode;
  /** From `useAction`. */
  action: ActionState;
  /** The label of the button that closes the dialog. */
  cancelLabel?: string;
  /** The label of the button that runs the action. By default the title. */
  confirmLabel?: string;
  /** Why that button is disabled, if no rate limit is the reason. */
  disabledReason?: string | undefined;
  /** The id of the `DialogForm` that the button submits. */
  formId?: string;
  /** Runs the action, if there is no form. */
  onConfirm?: () => void;
  onClose: () => void;
  /** `question`: asks only whether to do it. `form`: has choices or fields. */
  kind?: 'question' | 'form';
  tone?: 'danger' | 'primary';
  size?: 'normal' | 'narrow';
  /** By default only once something was typed. */
  ignoresOutsidePress?: boolean;
  /**
   * Closes without a question although something was typed: a password or code, or what was sent.
   */
  discardsTyped?: boolean;
  /** For the most dangerous actions: this text must be typed before the button works. */
  typedName?: string | undefined;
  /** What that text is: "Type the name to confirm". */
  typedLabel?: string;
  /** Why there is a rate limit. */
  rateLimit?: ReactNode;
  /** Whether the rate limit's notice adds that the form's values are kept. */
  keepsInput?: boolean;
  /** Title of a failure: "The test was not sent". By default the dialog's title and "failed". */
  notDone?: string;
  /** Its title if the response was lost: "We could not confirm whether a test was sent". */
  unknown?: string;
  /** Added to the failure if the response was lost: whether trying again is safe. */
  adviceIfUnknown?: string;
  /** Replaces the panel that says why the action failed. */
  failurePanel?: ReactNode;
  /** By default Cancel, or the first field of the form. */
  initialFocus?: FocusTarget;
  finalFocus?: FocusTarget;
};

/** Asks for confirmation of an action, runs it, and says why it failed. */
export function ActionDialog({
  title,
  sentence,
  facts,
  children,
  action,
  cancelLabel = 'Cancel',
  confirmLabel = title,
  disabledReason,
  formId,
  onConfirm,
  onClose,
  kind = 'form',
  tone = 'primary',
  size = kind === 'question' ? 'narrow' : 'normal',
  ignoresOutsidePress = false,
  discardsTyped = false,
  typedName,
  typedLabel = 'Type the name to confirm',
  rateLimit,
  keepsInput = false,
  notDone = `${title} failed`,
  unknown = 'We could not confirm whether this was done',
  adviceIfUnknown,
  failurePanel,
  initialFocus,
  finalFocus,
}: ActionDialogProps) {
  const cancel = useRef<HTMLButtonElement>(null);
  const confirmButton = useRef<HTMLButtonElement>(null);
  const [typed, setTyped] = useState('');
  const { isPending, failure, deadline } = action;
  const isNameTyped = typedName === undefined || isSameText(typed, typedName);
  const [wasTyped, setWasTyped] = useState(false);
  const [isAsking, setIsAsking] = useState(false);
  const isUnsaved = wasTyped && !discardsTyped;

  return (
    <Dialog
      open
      onClose={(how) => {
        if (how === 'outside' && (ignoresOutsidePress || isUnsaved)) return;
        if (isUnsaved) setIsAsking(true);
        else onClose();
      }}
      role={kind === 'question' ? 'alertdialog' : 'dialog'}
      size={size}
      ignoresOutsidePress={ignoresOutsidePress || isUnsaved}
      isLocked={isPending}
      title={title}
      sentence={sentence}
      initialFocus={initialFocus ?? (formId === undefined ? cancel : undefined)}
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
            disabledReason={isNameTyped ? disabledReason : `Type ${typedName} above first.`}
            onClick={onConfirm}
            className="h-auto min-h-control min-w-0 shrink py-1 whitespace-normal tabular-nums max-sm:flex-[2]!"
          >
            {/* The label ends with the name of the target, so it wraps instead of being
                truncated. */}
            <span className="min-w-0 text-left wrap-anywhere">{confirmLabel}</span>
          </ActionButton>
        </>
      }
    >
      {facts && facts.length > 0 && <Facts facts={facts} />}
      <div className="contents" onInput={(event) => isText(event) && setWasTyped(true)}>
        {children}
      </div>
      <RateLimitNotice keepsInput={keepsInput} deadline={deadline}>
        {rateLimit}
      </RateLimitNotice>
      {typedName !== undefined && (
        <TypedNameField
          label={typedLabel}
          name={typedName}
          value={typed}
          onChange={setTyped}
          onEnter={() => confirmButton.current?.click()}
        />
      )}
      {failure &&
        (failurePanel ?? (
          <ActionFailurePanel
            failure={failure}
            notDone={notDone}
            unknown={unknown}
            adviceIfUnknown={adviceIfUnknown}
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

type TypedNameFieldProps = {
  label: string;
  name: string;
  value: string;
  onChange: (value: string) => void;
  onEnter: () => void;
};

/** Asks for the text that must be typed before the button works. */
function TypedNameField({ label, name, value, onChange, onEnter }: TypedNameFieldProps) {
  return (
    <Field
      label={
        <span className="min-w-0 wrap-anywhere">
          {label}: {name}
        </span>
      }
    >
      <Input
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') onEnter();
        }}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
      />
    </Field>
  );
}

/** Whether something was typed into a field of the dialog, and not of a popup above it. */
function isText({ target, currentTarget }: FormEvent): boolean {
  if (!(target instanceof HTMLElement) || !currentTarget.contains(target)) return false;
  return !target.matches('[type=radio],[type=checkbox]');
}

const cancelDisabled = 'The request was sent and can’t be cancelled. Wait for its response.';
