'use client';

import { useNavigationFocus } from '#components/shell/page/navigation-focus.tsx';

import { useShownWebhook } from './shown-webhook.ts';
import { WebhookFacts } from './webhook-facts.tsx';
import { WebhookSecret } from './webhook-secret.tsx';

/** The tab with a webhook's settings and its signing secret. */
export function WebhookSettings() {
  const { webhook, now, actions } = useShownWebhook();
  useNavigationFocus(true);
  return (
    <>
      <WebhookFacts webhook={webhook} mayEdit={actions.mayEdit} />
      <WebhookSecret webhook={webhook} now={now} actions={actions} />
    </>
  );
}
