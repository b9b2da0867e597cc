'use client';

import { type ReactNode, useRef, useState } from 'react';

import { Banner } from '#components/ui/feedback/banner.tsx';
import { Button } from '#components/ui/buttons/button.tsx';
import { Dialog, type FocusTarget } from '#components/ui/overlays/dialog.tsx';
import { type Fact, Facts } from '#components/ui/data-display/facts.tsx';
import { Field } from '#components/ui/inputs/field.tsx';
import { Input } from '#components/ui/inputs/input.tsx';

import { cancelDisabledReason } from './cancel-disabled-reason.ts';

export type ConfirmDialogProps = {
  open: boolean;
  onClose: () => void;
  /** Verb and object, for title and button: "Revoke Production". */
  action: string;
  /** What the action does, in one sentence. */
  sentence: ReactNode;
  /** What a person should know before they confirm, such as the last use. */
  facts?: readonly Fact[];
  tone?: 'danger' | 'primary';
  /** For the most dangerous actions: this text must be typed before the button works. */
  typedName?: string | undefined;
  pending: boolean;
  /** What went wrong; the dialog stays open. */
  error?: ReactNode;
  /** No answer came, so the action may have been carried out. */
  isUnknown?: boolean;
  /** Why the button is disabled, such as a rate limit. */
  disabledReason?: string | undefined;
  onConfirm: () => void;
  finalFocus?: FocusTarget;
  /** Choices between facts and buttons. */
  children?: ReactNode;
};

/** Asks for confirmation of an action that is hard to undo. Cancel has the focus at first. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  // What was typed for one object must not be there for the next.
  return <ConfirmDialogContent key={String(props.open)} {...props} />;
}

function ConfirmDialogContent({
  open,
  onClose,
  action,
  sentence,
  facts,
  tone = 'danger',
  typedName,
  pending,
  error,
  isUnknown = false,
  disabledReason,
  onConfirm,
  finalFocus,
  children,
}: ConfirmDialogProps) {
  const cancel = useRef<HTMLButtonElement>(null);
  const [typed, setTyped] = useState('');
  // Names are stored in NFC; some keyboards write NFD.
  const isTyped = typedName === undefined || typed.normalize('NFC').trim() === typedName;
  const reason = isTyped ? disabledReason : `Type ${typedName} above first.`;

  return (
    <Dialog
      open={open}
      onClose={onClose}
      role="alertdialog"
      size="narrow"
      isLocked={pending}
      title={action}
      sentence={sentence}
      initialFocus={cancel}
      finalFocus={finalFocus}
      footer={
        <>
          <Button ref={cancel} onClick={onClose} disabledReason={cancelDisabledReason(pending)}>
            Cancel
          </Button>
          <Button
            variant={tone}
            pending={pending}
            disabledReason={pending ? undefined : reason}
            onClick={onConfirm}
            className="min-w-0 shrink max-sm:flex-[2]!"
          >
            <span className="truncate">{action}</span>
          </Button>
        </>
      }
    >
      {facts && <Facts facts={facts} />}
      {children}
      {typedName !== undefined && (
        <Field
          label={
            <span className="min-w-0 wrap-anywhere">Type the name to confirm: {typedName}</span>
          }
        >
          <Input
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && isTyped && !pending && disabledReason === undefined)
                onConfirm();
            }}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
          />
        </Field>
      )}
      {error !== undefined && error !== null && (
        <Banner
          tone="bad"
          title={`${action}: ${isUnknown ? 'unknown whether it was done' : 'not done'}`}
        >
          {error}
        </Banner>
      )}
    </Dialog>
  );
}
