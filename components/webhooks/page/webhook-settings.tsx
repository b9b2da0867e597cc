'use client';

import { ChangesForSupport } from '#components/shell/audit-entry/changes-for-support.tsx';
import { useNavigationFocus } from '#components/shell/page/navigation-focus.tsx';
import { useShownWebhook } from './shown-webhook.ts';
import { WebhookFacts } from './webhook-facts.tsx';
import { WebhookSecret } from './webhook-secret.tsx';

/** The tab with a webhook's settings and its signing secret. */
export function WebhookSettings() {
  const { webhook, accountId, rights, now, actions } = useShownWebhook();
  useNavigationFocus(true);
  return (
    <>
      <WebhookFacts webhook={webhook} actions={actions} />
      <WebhookSecret webhook={webhook} now={now} actions={actions} />
      <ChangesForSupport
        role={rights.role}
        accountId={accountId}
        of={{ kind: 'webhooks', uuid: webhook.uuid }}
      />
    </>
  );
}
