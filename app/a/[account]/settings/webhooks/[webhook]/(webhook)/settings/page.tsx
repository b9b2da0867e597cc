import { PageTitle } from '#components/shell/page/page-title.tsx';
import { WebhookSettings } from '#components/webhooks/page/webhook-settings.tsx';
import { webhookTitle } from '#components/webhooks/page/webhook-title.ts';

import { findWebhookIfReadable } from '../../find-webhook-if-readable.ts';

type WebhookSettingsPageProps = { params: Promise<{ webhook: string }> };

export default async function WebhookSettingsPage({ params }: WebhookSettingsPageProps) {
  const webhook = await findWebhookIfReadable((await params).webhook);
  return (
    <>
      <PageTitle>{webhookTitle('settings', webhook?.name)}</PageTitle>
      <WebhookSettings />
    </>
  );
}
