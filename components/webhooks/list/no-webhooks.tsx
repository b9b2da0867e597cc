import { CodeBlock } from '#components/ui/data-display/code-block.tsx';
import { EmptyState } from '#components/ui/feedback/empty-state.tsx';

import { CreateWebhookLink } from './webhooks-heading.tsx';

type NoWebhooksProps = { publicUrl: string; canCreate: boolean };

export function NoWebhooks({ publicUrl, canCreate }: NoWebhooksProps) {
  return (
    <EmptyState
      title="No webhooks yet"
      actions={canCreate ? <CreateWebhookLink /> : undefined}
      example={<CodeBlock title="Or create one with an API key" code={createByCurl(publicUrl)} />}
    >
      Enter an https URL of your server and choose the event types to send. The signing secret is
      shown once: at the end of the form, or when you regenerate it if the webhook was created with
      an API key. {!canCreate && 'An owner or an admin can create one.'}
    </EmptyState>
  );
}

/** Active only once its secret is known: otherwise nobody could verify the first deliveries. */
function createByCurl(publicUrl: string): string {
  return `# Creates it inactive, gets its signing secret, and activates it.
api() { curl -s -H "Authorization: Bearer $MESSAGING_API_KEY" -H "Content-Type: application/json" "$@"; }

id=$(api ${publicUrl}/api/v1/webhooks -d '{
  "name": "Order notifier",
  "url": "https://example.com/webhooks",
  "events": ["message.created"],
  "is_active": false
}' | sed 's/.*"uuid":"\\([^"]*\\)".*/\\1/')

api -X POST ${publicUrl}/api/v1/webhooks/$id/regenerate-secret
api -X PATCH ${publicUrl}/api/v1/webhooks/$id -d '{"is_active": true}'`;
}
