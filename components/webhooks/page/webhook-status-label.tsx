import { Status } from '#components/ui/data-display/status.tsx';
import type { Webhook } from '#lib/contract/webhooks/webhooks.ts';

import { isFailing } from '../webhook-conditions.ts';

/** A webhook's status as icon and label alone. A banner below gives the details. */
export function WebhookStatusLabel({ webhook }: { webhook: Webhook }) {
  switch (webhook.status) {
    case 'active':
      return <ActiveLabel webhook={webhook} />;
    case 'paused':
      return <Status mark="paused">Paused</Status>;
    case 'deactivated':
      return <Status mark="stopped">Deactivated</Status>;
    case 'pending_setup':
      return <Status mark="unfinished">Set-up unfinished</Status>;
  }
}

function ActiveLabel({ webhook }: { webhook: Webhook }) {
  if (isFailing(webhook)) {
    return (
      <Status mark="warning" tone="ink">
        Active, failing
      </Status>
    );
  }
  if (!webhook.secret.was_shown) {
    return (
      <Status mark="warning" tone="ink">
        Active, secret never shown
      </Status>
    );
  }
  return <Status mark="ok">Active</Status>;
}
