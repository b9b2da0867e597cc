import { Check, Copy } from 'lucide-react';
import { useRef } from 'react';
import { IconButton } from '../buttons/icon-button.tsx';
import { useCopy } from '../buttons/use-copy.ts';
import { CopyDialog } from './copy-dialog.tsx';

type CopyButtonProps = {
  text: string;
  /** "Copy command", "Copy URL of Order notifier". */
  label: string;
  className?: string;
};

/** Copies a text that is not secret. Secrets are shown in `OneTimeSecret`. */
export function CopyButton({ text, label, className }: CopyButtonProps) {
  const button = useRef<HTMLButtonElement>(null);
  const { state, copy, reset } = useCopy({ lastsMs: 2500 });
  return (
    <>
      <IconButton
        ref={button}
        label={label}
        icon={state === 'copied' ? <Check className="text-ok-mark" /> : <Copy />}
        className={className ?? ''}
        onClick={() => void copy(text)}
      />
      {/* `aria-live` without the role `status`, because the page or dialog around it has its own
          `status`. */}
      <span aria-live="polite" className="sr-only">
        {state === 'copied' && 'Copied'}
      </span>
      {state === 'blocked' && (
        <CopyDialog title={label} text={text} finalFocus={button} onClose={reset} />
      )}
    </>
  );
}
