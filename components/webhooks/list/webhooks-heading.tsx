import { Plus } from 'lucide-react';
import type { ReactNode } from 'react';
import { PageHeading } from '#components/shell/page/page-heading.tsx';
import { ButtonLink } from '#components/ui/buttons/button-link.tsx';
import { webhooksPath } from '../webhook-path.ts';

export function WebhooksHeading({ actions }: { actions?: ReactNode }) {
  return (
    <PageHeading
      title="Webhooks"
      sentence="Send events to a URL of your server. Each request is signed with the webhook’s secret."
      actions={actions}
    />
  );
}

export function CreateWebhookLink() {
  return (
    <ButtonLink href={`${webhooksPath}/new`} variant="primary" icon={<Plus />}>
      Create webhook
    </ButtonLink>
  );
}
