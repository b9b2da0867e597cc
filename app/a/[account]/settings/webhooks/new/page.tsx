import type { Metadata } from 'next';

import { CannotUseForm } from '#components/shell/form/cannot-use-form.tsx';
import { PageHeading } from '#components/shell/page/page-heading.tsx';
import { CreateWebhook } from '#components/webhooks/form/create-webhook.tsx';
import { webhooksPath } from '#components/webhooks/webhook-path.ts';
import { mayAct } from '#lib/contract/roles.ts';
import { requireSession } from '#lib/session.ts';

export const metadata: Metadata = { title: 'Create webhook' };

export default async function CreateWebhookPage() {
  const { account, role } = await requireSession();
  return (
    <>
      <PageHeading
        crumb={{ href: webhooksPath, label: 'Webhooks' }}
        title="Create webhook"
        sentence="A webhook sends the events you choose to a URL of your server."
      />
      {mayAct(role, 'webhooks.create') ? (
        <CreateWebhook accountId={account.id} />
      ) : (
        <CannotUseForm
          action="create webhooks"
          accountName={account.name}
          back={{ href: webhooksPath, label: 'Go to webhooks' }}
        />
      )}
    </>
  );
}
