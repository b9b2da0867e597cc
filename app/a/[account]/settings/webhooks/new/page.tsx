import type { Metadata } from 'next';

import { PageHeading } from '#components/shell/page/page-heading.tsx';
import { ButtonLink } from '#components/ui/buttons/button.tsx';
import { EmptyState } from '#components/ui/feedback/empty-state.tsx';
import { CreateWebhook } from '#components/webhooks/form/create-webhook.tsx';
import { mayAct } from '#lib/contract/roles.ts';
import { requireSession } from '#lib/session.ts';

export const metadata: Metadata = { title: 'Create webhook' };

export default async function CreateWebhookPage() {
  const { account, role } = await requireSession();
  return (
    <>
      <PageHeading
        crumb={{ href: 'settings/webhooks', label: 'Webhooks' }}
        title="Create webhook"
        sentence="Names an address of your server and the events it is for."
      />
      {mayAct(role, 'webhooks.create') ? (
        <CreateWebhook accountId={account.id} />
      ) : (
        <EmptyState
          title="You can’t create webhooks"
          actions={<ButtonLink href="settings/webhooks">Go to webhooks</ButtonLink>}
        >
          An owner or an admin of {account.name} can.
        </EmptyState>
      )}
    </>
  );
}
