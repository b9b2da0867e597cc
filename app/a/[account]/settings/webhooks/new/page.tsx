import { CannotUseForm } from '#components/shell/form/cannot-use-form.tsx';
import { PageTitle } from '#components/shell/page/page-title.tsx';
import { QuotaUse } from '#components/shell/quota/quota-use.tsx';
import { WithinQuota } from '#components/shell/quota/within-quota.tsx';
import { CreateWebhookHeading } from '#components/webhooks/form/create-webhook-heading.tsx';
import { CreateWebhook } from '#components/webhooks/form/create-webhook.tsx';
import { webhooksPath } from '#components/webhooks/webhook-path.ts';
import { mayAct } from '#lib/contract/rights/roles.ts';
import { read } from '#lib/queries/prefetch.ts';
import { requireSession } from '#lib/session/session.ts';
import { pageTitles } from '../../../page-titles.ts';
import { nullIfUnreadable } from '../../failed-read.ts';

export default async function CreateWebhookPage() {
  const { account, role } = await requireSession();
  const isAllowed = mayAct(role, 'webhooks.create');
  const [quotas, targets] = isAllowed
    ? await Promise.all([
        nullIfUnreadable(read('getQuotas', {})),
        nullIfUnreadable(read('getWebhookTargets', {})),
      ])
    : [null, null];
  const quota = quotas?.webhooks ?? null;
  return (
    <>
      <PageTitle>{pageTitles.newWebhook}</PageTitle>
      <CreateWebhookHeading quotaUse={<QuotaUse quota={quota} nouns="webhooks" />} />
      {isAllowed ? (
        <WithinQuota
          quota={quota}
          accountName={account.name}
          noun="webhook"
          nouns="webhooks"
          remedy="Delete one that is no longer used"
          back={back}
        >
          <CreateWebhook accountId={account.id} targets={targets} />
        </WithinQuota>
      ) : (
        <CannotUseForm action="create webhooks" accountName={account.name} back={back} />
      )}
    </>
  );
}

const back = { href: webhooksPath, label: 'Go to webhooks' };
