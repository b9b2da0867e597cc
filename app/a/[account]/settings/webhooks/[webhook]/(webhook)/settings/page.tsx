import { PageTitle } from '#components/shell/page/page-title.tsx';
import { WebhookSettings } from '#components/webhooks/page/webhook-settings.tsx';
import { webhookTitle } from '#components/webhooks/page/webhook-title.ts';
import { read } from '#lib/queries/prefetch.ts';
import { nullIfUnreadable, orNotFound } from '../../../../failed-read.ts';

type WebhookSettingsPageProps = { params: Promise<{ webhook: string }> };

export default async function WebhookSettingsPage({ params }: WebhookSettingsPageProps) {
  const webhook = await nullIfUnreadable(
    orNotFound(read('getWebhook', { params: { webhook: (await params).webhook } })),
  );
  return (
    <>
      <PageTitle>{webhookTitle('settings', webhook?.name)}</PageTitle>
      <WebhookSettings />
    </>
  );
}
