import type { Metadata } from 'next';
import { headers } from 'next/headers';

import { apiKeysPath } from '#components/api-keys/api-key-path.ts';
import { CreateApiKey } from '#components/api-keys/form/create-api-key.tsx';
import { CannotUseForm } from '#components/shell/form/cannot-use-form.tsx';
import { PageHeading } from '#components/shell/page/page-heading.tsx';
import { mayAct } from '#lib/contract/roles.ts';
import { requireSession } from '#lib/session.ts';
import { formatApiTime } from '#lib/time.ts';

export const metadata: Metadata = { title: 'Create key' };

export default async function CreateApiKeyPage() {
  const { account, role } = await requireSession();
  const isAllowed = mayAct(role, 'api-keys.create');
  return (
    <>
      <PageHeading
        crumb={{ href: apiKeysPath, label: 'API keys' }}
        title="Create key"
        sentence="Give it the least it needs. Its token can be rotated at any time."
      />
      {isAllowed ? (
        <CreateApiKey
          accountId={account.id}
          ownAddress={(await headers()).get('x-client-address')}
          renderedAt={formatApiTime(new Date())}
        />
      ) : (
        <CannotUseForm
          action="create keys"
          accountName={account.name}
          back={{ href: apiKeysPath, label: 'Go to API keys' }}
        />
      )}
    </>
  );
}
