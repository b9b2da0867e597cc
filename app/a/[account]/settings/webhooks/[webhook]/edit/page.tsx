import { CannotUseForm } from '#components/shell/form/cannot-use-form.tsx';
import { EditPage } from '#components/shell/form/edit-page.tsx';
import { EditWebhook } from '#components/webhooks/form/edit-webhook.tsx';
import { webhookPath } from '#components/webhooks/webhook-path.ts';
import { mayAct } from '#lib/contract/rights/roles.ts';
import { read } from '#lib/queries/prefetch.ts';
import { requireSession } from '#lib/session/session.ts';
import { pageTitles } from '../../../../page-titles.ts';
import { orNotFound, nullIfUnreadable } from '../../../failed-read.ts';

type EditWebhookPageProps = { params: Promise<{ webhook: string }> };

export default async function EditWebhookPage({ params }: EditWebhookPageProps) {
  const { account, role } = await requireSession();
  const [webhook, targets] = await Promise.all([
    orNotFound(read('getWebhook', { params: { webhook: (await params).webhook } })),
    nullIfUnreadable(read('getWebhookTargets', {})),
  ]);
  return (
    <EditPage
      pageTitle={pageTitles.editWebhook}
      name={webhook.name}
      href={webhookPath(webhook, 'settings')}
      sentence="Changes apply from the next attempt on, retries included. Its signing secret stays the same."
    >
      {mayAct(role, 'webhooks.update') ? (
        <EditWebhook webhook={webhook} accountId={account.id} targets={targets} />
      ) : (
        <CannotUseForm
          action="edit webhooks"
          accountName={account.name}
          back={{ href: webhookPath(webhook, 'settings'), label: `Go to ${webhook.name}` }}
        />
      )}
    </EditPage>
  );
}
