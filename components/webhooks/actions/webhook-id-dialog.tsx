'use client';

import { useRef } from 'react';

import { Button } from '#components/ui/buttons/button.tsx';
import { Dialog, type FocusTarget } from '#components/ui/overlays/dialog.tsx';
import { Field } from '#components/ui/inputs/field.tsx';
import { Input } from '#components/ui/inputs/input.tsx';
import type { Webhook } from '#lib/contract/webhooks.ts';

type WebhookIdDialogProps = { webhook: Webhook; finalFocus: FocusTarget; onClose: () => void };

/** Shows a webhook's ID as selected text, for browsers that do not allow pages to copy. */
export function WebhookIdDialog({ webhook, finalFocus, onClose }: WebhookIdDialogProps) {
  const field = useRef<HTMLInputElement>(null);
  return (
    <Dialog
      open
      onClose={onClose}
      size="narrow"
      title={`ID of ${webhook.name}`}
      sentence="Copying is blocked here. It is selected: press Ctrl/⌘ C."
      initialFocus={field}
      finalFocus={finalFocus}
      footer={<Button onClick={onClose}>Close</Button>}
    >
      <Field label="Webhook ID">
        <Input
          ref={field}
          mono
          readOnly
          value={webhook.uuid}
          onFocus={(event) => event.currentTarget.select()}
        />
      </Field>
    </Dialog>
  );
}
