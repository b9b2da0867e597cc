'use client';

import { useNavigationFocus } from '#components/shell/page/navigation-focus.tsx';
import { Deliveries } from '../deliveries/deliveries.tsx';
import { useShownWebhook } from './shown-webhook.ts';

/** The tab with everything that was sent to a webhook. */
export function WebhookDeliveries() {
  const { webhook, accountId, reference, rights } = useShownWebhook();
  useNavigationFocus(true);
  return (
    <Deliveries webhook={webhook} accountId={accountId} reference={reference} rights={rights} />
  );
}
