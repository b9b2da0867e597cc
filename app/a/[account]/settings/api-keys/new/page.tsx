import { headers } from 'next/headers';
import { apiKeysPath } from '#components/api-keys/api-key-path.ts';
import { CreateApiKey } from '#components/api-keys/form/create-api-key.tsx';
import { CreateApiKeyHeading } from '#components/api-keys/form/create-api-key-heading.tsx';
import { CannotUseForm } from '#components/shell/form/cannot-use-form.tsx';
import { PageTitle } from '#components/shell/page/page-title.tsx';
import { QuotaUse } from '#components/shell/quota/quota-use.tsx';
import { WithinQuota } from '#components/shell/quota/within-quota.tsx';
import { mayAct } from '#lib/contract/rights/roles.ts';
import { read } from '#lib/queries/prefetch.ts';
import { requireSession } from '#lib/session/session.ts';
import { formatApiTime } from '#lib/time.ts';
import { pageTitles } from '../../../page-titles.ts';
import { nullIfUnreadable } from '../../failed-read.ts';

export default async function CreateApiKeyPage() {
  const { account, role } = await requireSession();
  const isAllowed = mayAct(role, 'api-keys.create');
  const quota = isAllowed
    ? ((await nullIfUnreadable(read('getQuotas', {})))?.api_keys ?? null)
    : null;
  return (
    <>
      <PageTitle>{pageTitles.newApiKey}</PageTitle>
      <CreateApiKeyHeading quotaUse={<QuotaUse quota={quota} nouns="active API keys" />} />
      {isAllowed ? (
        <WithinQuota
          quota={quota}
          accountName={account.name}
          noun="active API key"
          nouns="active API keys"
          remedy="Revoke one that is no longer used"
          back={back}
        >
          <CreateApiKey
            accountId={account.id}
            ownAddress={(await headers()).get('x-client-address')}
            renderedAt={formatApiTime(new Date())}
          />
        </WithinQuota>
      ) : (
        <CannotUseForm action="create keys" accountName={account.name} back={back} />
      )}
    </>
  );
}

const back = { href: apiKeysPath, label: 'Go to API keys' };
