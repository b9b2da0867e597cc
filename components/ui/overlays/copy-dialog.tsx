import { useRef } from 'react';
import { Button } from '../buttons/button.tsx';
import { copySelected } from '../buttons/use-copy.ts';
import { Dialog, type FocusTarget } from './dialog.tsx';

type CopyDialogProps = {
  /** "Key ID of Production" */
  title: string;
  text: string;
  finalFocus: FocusTarget;
  onClose: () => void;
};

/** Shows a text that is selected, for browsers that do not allow pages to copy. */
export function CopyDialog({ title, text, finalFocus, onClose }: CopyDialogProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  return (
    <Dialog
      open
      onClose={onClose}
      size="narrow"
      title={title}
      sentence={copySelected}
      initialFocus={field}
      finalFocus={finalFocus}
      footer={<Button onClick={onClose}>Close</Button>}
    >
      <textarea
        ref={field}
        aria-label={title}
        readOnly
        rows={2}
        value={text}
        onFocus={(event) => event.currentTarget.select()}
        className="field-box block max-h-60 w-full min-w-0 resize-none [field-sizing:content] px-2.5 py-1.5 font-mono text-code break-all"
      />
    </Dialog>
  );
}
