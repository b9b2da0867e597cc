import { WebhooksSkeleton } from '#components/webhooks/webhooks-skeleton.tsx';

export default function WebhooksLoading() {
  return <WebhooksSkeleton />;
}
