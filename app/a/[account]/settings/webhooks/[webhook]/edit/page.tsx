import type { Metadata } from 'next';

import { PageHeading } from '#components/shell/page/page-heading.tsx';
import { ButtonLink } from '#components/ui/buttons/button.tsx';
import { EmptyState } from '#components/ui/feedback/empty-state.tsx';
import { EditWebhook } from '#components/webhooks/form/edit-webhook.tsx';
import { webhookPath } from '#components/webhooks/webhook-path.ts';
import { mayAct } from '#lib/contract/roles.ts';
import { requireSession } from '#lib/session.ts';

import { findWebhook } from '../find-webhook.ts';

type EditWebhookPageProps = { params: Promise<{ webhook: string }> };

export const metadata: Metadata = { title: 'Edit webhook' };

export default async function EditWebhookPage({ params }: EditWebhookPageProps) {
  const { account, role } = await requireSession();
  const webhook = await findWebhook((await params).webhook);
  return (
    <>
      <PageHeading
        crumb={{ href: webhookPath(webhook), label: webhook.name }}
        title={`Edit ${webhook.name}`}
        sentence="Changes hold from the next attempt on, retries included. Its signing secret stays."
      />
      {mayAct(role, 'webhooks.update') ? (
        <EditWebhook webhook={webhook} accountId={account.id} />
      ) : (
        <EmptyState
          title="You can’t edit webhooks"
          actions={<ButtonLink href={webhookPath(webhook)}>Go to {webhook.name}</ButtonLink>}
        >
          An owner or an admin of {account.name} can.
        </EmptyState>
      )}
    </>
  );
}
