// Renders rarely. Compiled for memoization, the file would be larger.
'use no memo';

import { Status } from '#components/ui/data-display/status.tsx';
import {
  webhookState,
  webhookStateLabels,
  webhookStateMarks,
} from '#components/shell/states/webhook-state.ts';
import type { Webhook } from '#lib/contract/webhooks/webhook.ts';

type WebhookStatusLabelProps = { webhook: Webhook; now: Date };

/** A webhook's state as icon and label alone. A banner below gives the details. */
export function WebhookStatusLabel({ webhook, now }: WebhookStatusLabelProps) {
  const state = webhookState(webhook, now);
  if (state === 'active' && !webhook.secret.was_shown) {
    return (
      <Status mark="warning" tone="ink">
        Active, secret never shown
      </Status>
    );
  }
  return <Status mark={webhookStateMarks[state]}>{webhookStateLabels[state]}</Status>;
}
