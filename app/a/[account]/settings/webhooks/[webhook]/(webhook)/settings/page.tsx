import { PageTitle } from '#components/shell/page/page-title.tsx';
import { WebhookSettings } from '#components/webhooks/page/webhook-settings.tsx';
import { webhookTitle } from '#components/webhooks/page/webhook-title.ts';

import { nullIfUnreadable } from '../../../../failed-read.ts';
import { findWebhook } from '../../find-webhook.ts';

type WebhookSettingsPageProps = { params: Promise<{ webhook: string }> };

export default async function WebhookSettingsPage({ params }: WebhookSettingsPageProps) {
  const webhook = await nullIfUnreadable(findWebhook((await params).webhook));
  return (
    <>
      <PageTitle>{webhookTitle('settings', webhook?.name)}</PageTitle>
      <WebhookSettings />
    </>
  );
}
