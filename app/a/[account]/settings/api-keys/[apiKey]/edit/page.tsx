import { headers } from 'next/headers';
import { apiKeyPath } from '#components/api-keys/api-key-path.ts';
import { EditApiKey } from '#components/api-keys/form/edit-api-key.tsx';
import { CannotEditKey } from '#components/api-keys/form/cannot-edit-key.tsx';
import { EditPage } from '#components/shell/form/edit-page.tsx';
import { mayAct } from '#lib/contract/rights/roles.ts';
import { read } from '#lib/queries/prefetch.ts';
import { requireSession } from '#lib/session/session.ts';
import { formatApiTime } from '#lib/time.ts';
import { pageTitles } from '../../../../page-titles.ts';
import { orNotFound } from '../../../failed-read.ts';

type EditKeyPageProps = { params: Promise<{ apiKey: string }> };

export default async function EditKeyPage({ params }: EditKeyPageProps) {
  const { account, role } = await requireSession();
  const apiKey = await orNotFound(read('getApiKey', { params: { apiKey: (await params).apiKey } }));
  const isEnded = apiKey.status === 'revoked' || apiKey.status === 'expired';
  return (
    <EditPage
      pageTitle={pageTitles.editApiKey}
      name={apiKey.name}
      href={apiKeyPath(apiKey)}
      sentence="Changes apply to all calls from now on. Its tokens stay the same."
    >
      {isEnded || !mayAct(role, 'api-keys.update') ? (
        <CannotEditKey apiKey={apiKey} isEnded={isEnded} accountName={account.name} />
      ) : (
        <EditApiKey
          apiKey={apiKey}
          accountId={account.id}
          shownToOthers={await orNotFound(
            read('listTokensShownToOthers', { params: { apiKey: apiKey.uuid } }),
          )}
          ownAddress={(await headers()).get('x-client-address')}
          renderedAt={formatApiTime(new Date())}
        />
      )}
    </EditPage>
  );
}
