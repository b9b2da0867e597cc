'use client';

import { Check, Copy } from 'lucide-react';

import { IconButton } from './icon-button.tsx';
import { useCopy } from './use-copy.ts';

export type CopyButtonProps = {
  text: string;
  /** "Copy command", "Copy address of Order notifier". */
  label: string;
  className?: string;
};

/** Copies something that can be read elsewhere too. For a value shown once there is the secret dialog. */
export function CopyButton({ text, label, className }: CopyButtonProps) {
  const { state, copy } = useCopy({ lastsMs: 2500 });
  return (
    <>
      <IconButton
        label={label}
        icon={state === 'copied' ? <Check className="text-ok-mark" /> : <Copy />}
        className={className ?? ''}
        onClick={() => void copy(text)}
      />
      {/* No `status` role: the page or dialog around it has one of its own, found by that role. */}
      <span aria-live="polite" className="sr-only">
        {state === 'copied' && 'Copied'}
        {state === 'blocked' && 'Copying is blocked here. Select the text and press Ctrl/⌘ C.'}
      </span>
    </>
  );
}
