import type { Metadata } from 'next';

import { NotFoundPage } from '#components/shell/page/not-found-page.tsx';

export const metadata: Metadata = { title: 'Page not found' };

export default function WebhookNotFound() {
  return <NotFoundPage back={{ href: 'settings/webhooks', label: 'Go to webhooks' }} />;
}
