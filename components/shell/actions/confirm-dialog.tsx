'use client';

import { type ReactNode, useRef, useState } from 'react';

import { Banner } from '#components/ui/banner.tsx';
import { Button } from '#components/ui/button.tsx';
import { Dialog, type FocusTarget } from '#components/ui/dialog.tsx';
import { type Fact, Facts } from '#components/ui/facts.tsx';
import { Field } from '#components/ui/field.tsx';
import { Input } from '#components/ui/input.tsx';

import { cancelDisabledReason } from './cancel-disabled-reason.ts';

export type ConfirmDialogProps = {
  open: boolean;
  onClose: () => void;
  /** Verb and object, for title and button: "Revoke Production". */
  action: string;
  /** What it does, in one sentence. */
  sentence: ReactNode;
  /** The consequence: last used, what stops. */
  facts?: readonly Fact[];
  tone?: 'danger' | 'primary';
  /** For the worst only: this must be typed before the button obeys. */
  typedName?: string | undefined;
  pending: boolean;
  /** What went wrong; the dialog stays open. */
  error?: ReactNode;
  /** Whether it may have been done all the same: no answer came. */
  isUnknown?: boolean;
  /** Why the button refuses for now (a running countdown). */
  disabledReason?: string | undefined;
  onConfirm: () => void;
  finalFocus?: FocusTarget;
  /** Choices between facts and buttons. */
  children?: ReactNode;
};

/** Asks before an act that costs something. Focus begins on Cancel. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  // What was typed for one object must not stand ready for the next.
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
  // Names are kept composed; some keyboards write them decomposed.
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
