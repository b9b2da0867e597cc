import type { Metadata } from 'next';

import { WebhookSettings } from '#components/webhooks/page/webhook-settings.tsx';

import { findWebhookIfReadable } from '../../find-webhook-if-readable.ts';

type WebhookSettingsPageProps = { params: Promise<{ webhook: string }> };

export async function generateMetadata({ params }: WebhookSettingsPageProps): Promise<Metadata> {
  const webhook = await findWebhookIfReadable((await params).webhook);
  return { title: `Settings of ${webhook?.name ?? 'a webhook'}` };
}

export default function WebhookSettingsPage() {
  return <WebhookSettings />;
}
