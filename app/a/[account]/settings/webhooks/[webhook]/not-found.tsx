import { NotFoundPage } from '#components/shell/page/not-found-page.tsx';

export default function WebhookNotFound() {
  return <NotFoundPage back={{ href: 'settings/webhooks', label: 'Go to webhooks' }} />;
}
