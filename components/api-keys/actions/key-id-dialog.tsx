'use client';

import { useRef } from 'react';

import { Button } from '#components/ui/buttons/button.tsx';
import { Dialog, type FocusTarget } from '#components/ui/overlays/dialog.tsx';
import { Field } from '#components/ui/inputs/field.tsx';
import { Input } from '#components/ui/inputs/input.tsx';

type KeyIdDialogProps = {
  uuid: string;
  name: string;
  finalFocus: FocusTarget;
  onClosed: () => void;
};

/** Shows a key's ID as selected text, for browsers that do not allow pages to copy. */
export function KeyIdDialog({ uuid, name, finalFocus, onClosed }: KeyIdDialogProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <Dialog
      open
      onClose={onClosed}
      size="narrow"
      title={`Key ID of ${name}`}
      sentence="Copying is blocked here. It is selected: press Ctrl/⌘ C."
      initialFocus={input}
      finalFocus={finalFocus}
      footer={<Button onClick={onClosed}>Close</Button>}
    >
      <Field label="Key ID">
        <Input
          ref={input}
          mono
          readOnly
          value={uuid}
          onFocus={(event) => event.currentTarget.select()}
        />
      </Field>
    </Dialog>
  );
}
