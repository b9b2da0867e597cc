import { WebhookSkeleton } from '#components/webhooks/page/webhook-skeleton.tsx';

export default function WebhookLoading() {
  return <WebhookSkeleton />;
}
