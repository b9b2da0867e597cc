import { Status, type StatusMark } from '#components/ui/data-display/status.tsx';
import {
  type WebhookState,
  webhookState,
  webhookStateLabels,
} from '#components/shell/states/webhook-state.ts';
import type { Webhook } from '#lib/contract/webhooks/webhooks.ts';

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
  return <Status mark={MARKS[state]}>{webhookStateLabels[state]}</Status>;
}

const MARKS: Record<WebhookState, StatusMark> = {
  active: 'ok',
  failing: 'warning',
  paused: 'paused',
  deactivated: 'stopped',
  pending_setup: 'unfinished',
};
