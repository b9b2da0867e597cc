import { WebhooksSkeleton } from '#components/webhooks/list/webhooks-skeleton.tsx';

export default function WebhooksLoading() {
  return <WebhooksSkeleton />;
}
