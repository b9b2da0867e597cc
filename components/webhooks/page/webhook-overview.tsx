'use client';

import { useNavigationFocus } from '#components/shell/page/navigation-focus.tsx';
import { Health } from '../health/health.tsx';
import { useShownWebhook } from './shown-webhook.ts';
import { WebhookBanners } from './webhook-banners.tsx';

/** The first tab of a webhook's page: what needs an action, and how its deliveries are doing. */
export function WebhookOverview() {
  const shown = useShownWebhook();
  const { webhook, accountId, reference } = shown;
  useNavigationFocus(true);
  return (
    <>
      <WebhookBanners {...shown} />
      {webhook.status !== 'pending_setup' && <Health accountId={accountId} reference={reference} />}
    </>
  );
}
