import { Check, Copy, Download, Lock } from 'lucide-react';
import { useRef } from 'react';
import {
  OneTimeDialog,
  type OneTimeDialogContext,
} from '#components/shell/one-time-secret/one-time-dialog.tsx';
import { downloadText } from '#components/shell/one-time-secret/download-text.ts';
import {
  recorderAttributes,
  recorderClass,
} from '#components/shell/one-time-secret/secret-attributes.ts';
import { Button } from '#components/ui/buttons/button.tsx';
import { copySelected, useCopy } from '#components/ui/buttons/use-copy.ts';
import { Note } from '#components/ui/feedback/note.tsx';
import type { FocusTarget } from '#components/ui/overlays/dialog.tsx';
import { cn } from '#lib/class-names/cn.ts';
import { countOf } from '#lib/count.ts';

type NewRecoveryCodesProps = {
  codes: readonly string[];
  finalFocus: FocusTarget;
  /** Called when the dialog is closed. Remove the codes from your state. */
  onClosed: () => void;
};

export function NewRecoveryCodes({ codes, finalFocus, onClosed }: NewRecoveryCodesProps) {
  return (
    <OneTimeDialog
      title="New recovery codes"
      sentence="They are shown only once. If you lose them, create new ones."
      noun="codes"
      closeWarning="These recovery codes cannot be shown again. You can create new ones."
      onClosed={onClosed}
      finalFocus={finalFocus}
    >
      {({ isClosed, ...dialog }) => (
        <>
          <CodeList codes={isClosed ? [] : codes} {...dialog} />
          <Note icon={<Lock />}>
            Each code works once, in place of your second factor. You still need your password.
          </Note>
        </>
      )}
    </OneTimeDialog>
  );
}

type CodeListProps = Omit<OneTimeDialogContext, 'isClosed'> & { codes: readonly string[] };

function CodeList({ codes, copyButton, onAnnounce }: CodeListProps) {
  const list = useRef<HTMLOListElement>(null);
  const { state, copy } = useCopy();
  const text = `${codes.join('\n')}\n`;

  async function copyAll() {
    const isCopied = await copy(text);
    if (!isCopied && list.current) window.getSelection()?.selectAllChildren(list.current);
    onAnnounce(isCopied ? `${countOf(codes.length, 'code')} copied.` : copySelected);
  }

  return (
    <div
      {...recorderAttributes}
      className={cn('rounded-3 border border-line-strong bg-sunken', recorderClass)}
    >
      <ol ref={list} aria-label="Recovery codes" className="grid gap-y-1 px-4 py-3.5">
        {codes.map((code) => (
          <li
            key={code}
            translate="no"
            className="font-mono text-code whitespace-nowrap text-ink max-[22.5rem]:text-micro"
          >
            {code}
          </li>
        ))}
      </ol>
      <div className="flex flex-wrap gap-2 border-t border-line px-3 py-2.5">
        <Button
          ref={copyButton}
          size="small"
          className="min-w-22"
          icon={state === 'copied' ? <Check className="text-ok-mark!" /> : <Copy />}
          onClick={() => void copyAll()}
        >
          {state === 'copied' ? 'Copied' : 'Copy'}
        </Button>
        <Button
          size="small"
          icon={<Download />}
          onClick={() => {
            downloadText('recovery-codes.txt', text);
            onAnnounce('File downloaded.');
          }}
        >
          Download
        </Button>
      </div>
    </div>
  );
}
