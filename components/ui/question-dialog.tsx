'use client';

import { type ReactNode, useRef } from 'react';

import { Button } from './button.tsx';
import { Dialog, type FocusTarget } from './dialog.tsx';

export type QuestionDialogProps = {
  open: boolean;
  title: string;
  /** What the careless answer costs. */
  children: ReactNode;
  /** The careful answer: focused, petrol, also Escape. */
  stay: string;
  onStay: () => void;
  leave: string;
  onLeave: () => void;
  finalFocus?: FocusTarget;
};

/** A question whose two answers are its buttons. */
export function QuestionDialog({
  open,
  title,
  children,
  stay,
  onStay,
  leave,
  onLeave,
  finalFocus,
}: QuestionDialogProps) {
  const stayButton = useRef<HTMLButtonElement>(null);
  return (
    <Dialog
      open={open}
      onClose={onStay}
      role="alertdialog"
      size="narrow"
      className="max-w-100"
      hasCloseButton={false}
      title={title}
      sentence={children}
      initialFocus={stayButton}
      finalFocus={finalFocus}
      footer={
        <>
          <Button onClick={onLeave}>{leave}</Button>
          <Button ref={stayButton} variant="primary" onClick={onStay}>
            {stay}
          </Button>
        </>
      }
    />
  );
}
