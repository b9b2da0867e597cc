import { type ReactNode, useRef } from 'react';
import { Button } from '../buttons/button.tsx';
import { Dialog, type FocusTarget } from './dialog.tsx';

export type QuestionDialogProps = {
  open: boolean;
  title: string;
  /** What is lost by leaving. */
  children: ReactNode;
  /** The label of the safe answer. It has the focus at first, and Escape chooses it. */
  stay: string;
  onStay: () => void;
  leave: string;
  onLeave: () => void;
  finalFocus?: FocusTarget;
};

/** A dialog that asks a question with two answers. */
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
