'use client';

import { Check, Copy } from 'lucide-react';

import { IconButton } from './icon-button.tsx';
import { copyingBlocked, useCopy } from './use-copy.ts';

type CopyButtonProps = {
  text: string;
  /** "Copy command", "Copy URL of Order notifier". */
  label: string;
  className?: string;
};

/** Copies a text that is not secret. Secrets are shown in `OneTimeSecret`. */
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
      {/* `aria-live` without the role `status`, because the page or dialog around it has its own
          `status`. */}
      <span aria-live="polite" className="sr-only">
        {state === 'copied' && 'Copied'}
        {state === 'blocked' && `${copyingBlocked} Select the text and press Ctrl/⌘ C.`}
      </span>
    </>
  );
}
