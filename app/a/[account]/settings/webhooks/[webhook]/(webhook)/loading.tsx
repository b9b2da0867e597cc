import { WebhookSkeleton } from '#components/webhooks/webhook-skeleton.tsx';

export default function WebhookLoading() {
  return <WebhookSkeleton />;
}
