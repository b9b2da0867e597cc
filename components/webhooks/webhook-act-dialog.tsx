'use client';

import type { FocusTarget } from '#components/ui/dialog.tsx';

import type { ActOutcome, AskedAct } from './asked-act.ts';
import { DeleteWebhook } from './delete-webhook.tsx';
import { RegenerateSecret } from './regenerate-secret.tsx';
import { ResumeWebhook } from './resume-webhook.tsx';
import { WebhookId } from './webhook-id.tsx';

export type WebhookActDialogProps = {
  asked: AskedAct;
  finalFocus: FocusTarget;
  onClosed: (outcome: ActOutcome) => void;
};

/** The dialog of an act upon one webhook. */
export function WebhookActDialog({ asked, finalFocus, onClosed }: WebhookActDialogProps) {
  const { kind, webhook } = asked;
  const cancel = () => onClosed({ kind: 'cancelled' });
  switch (kind) {
    case 'secret':
      return (
        <RegenerateSecret
          webhook={webhook}
          finalFocus={finalFocus}
          onOver={(isStale) => onClosed({ kind: isStale ? 'changed' : 'cancelled' })}
        />
      );
    case 'deletion':
      return (
        <DeleteWebhook
          webhook={webhook}
          isInUse={asked.isInUse}
          finalFocus={finalFocus}
          onClose={cancel}
          onDeleted={() => onClosed({ kind: 'deleted', webhook })}
        />
      );
    case 'resumption':
      return (
        <ResumeWebhook
          webhook={webhook}
          missed={asked.missed}
          finalFocus={finalFocus}
          onClose={cancel}
          onResumed={(resumed) => onClosed({ kind: 'resumed', webhook: resumed })}
        />
      );
    case 'id':
      return <WebhookId webhook={webhook} finalFocus={finalFocus} onClose={cancel} />;
  }
}
