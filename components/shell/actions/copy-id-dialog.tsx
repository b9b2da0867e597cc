'use client';

import { useRef } from 'react';

import { Button } from '#components/ui/buttons/button.tsx';
import { copySelected } from '#components/ui/buttons/use-copy.ts';
import { Field } from '#components/ui/inputs/form/field.tsx';
import { Input } from '#components/ui/inputs/input.tsx';
import { Dialog, type FocusTarget } from '#components/ui/overlays/dialog.tsx';

type CopyIdDialogProps = {
  /** "Key ID" */
  label: string;
  /** "Key ID of Production" */
  title: string;
  id: string;
  finalFocus: FocusTarget;
  onClose: () => void;
};

/** Shows an ID as selected text, for browsers that do not allow pages to copy. */
export function CopyIdDialog({ label, title, id, finalFocus, onClose }: CopyIdDialogProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <Dialog
      open
      onClose={onClose}
      size="narrow"
      title={title}
      sentence={copySelected}
      initialFocus={input}
      finalFocus={finalFocus}
      footer={<Button onClick={onClose}>Close</Button>}
    >
      <Field label={label}>
        <Input
          ref={input}
          mono
          readOnly
          value={id}
          onFocus={(event) => event.currentTarget.select()}
        />
      </Field>
    </Dialog>
  );
}
