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
  return `# Create it inactive. The response has its id.
curl ${publicUrl}/api/v1/webhooks \\
  -H "Authorization: Bearer $MESSAGING_API_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{
    "name": "Order notifier",
    "url": "https://example.com/webhooks",
    "events": ["message.created"],
    "is_active": false
  }'

# Get its signing secret, and give it to your server.
curl -X POST ${publicUrl}/api/v1/webhooks/$ID/regenerate-secret \\
  -H "Authorization: Bearer $MESSAGING_API_KEY"

# Then activate it.
curl -X PATCH ${publicUrl}/api/v1/webhooks/$ID \\
  -H "Authorization: Bearer $MESSAGING_API_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"is_active": true}'`;
}
