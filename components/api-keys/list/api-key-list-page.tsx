'use client';

import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';

import { useNavigationFocus } from '#components/shell/page/navigation-focus.tsx';
import { ReadFailure } from '#components/shell/page/read-failure.tsx';
import { useReturnFocus } from '#components/shell/page/use-return-focus.ts';
import { useNow } from '#components/ui/rendering/use-now.ts';
import type { Session } from '#lib/contract/people/sessions.ts';
import { mayAct } from '#lib/contract/rights/roles.ts';
import { pageRefetchOptions } from '#lib/queries/refetch-interval.ts';
import { routeQuery } from '#lib/queries/route-query.ts';
import { isForbidden, dataIfPermitted } from '#lib/queries/data-if-permitted.ts';

import { InitialKeyBanner } from '../actions/initial-key-banner.tsx';
import { LazyApiKeyDialog } from '../actions/lazy-api-key-dialog.tsx';
import { useApiKeyActions } from '../actions/use-api-key-actions.ts';
import { RoleNote } from '../role-note.tsx';
import { ApiKeyList } from './api-key-list.tsx';
import { ApiKeyTableSkeleton } from './api-key-columns.tsx';
import { ApiKeysHeading, CreateKeyLink, IncidentLink } from './api-keys-heading.tsx';
import { mayOmitKeys, mergeApiKeys } from './merge-api-keys.ts';
import { useOlderApiKeys } from './use-older-api-keys.ts';

type ApiKeyListPageProps = {
  session: Session;
  publicUrl: string;
  /** The server's time, so that the first render in the browser equals the server's. */
  renderedAt: string;
};

/** The page with the list: loading, empty, failed or filled, and the dialogs of its rows. */
export function ApiKeyListPage({ session, publicUrl, renderedAt }: ApiKeyListPageProps) {
  const { account, role } = session;
  const now = useNow() ?? new Date(renderedAt);
  const { actions, shownDialog, dialog, refetch } = useApiKeyActions(session, now);
  const read = useQuery({
    ...routeQuery(account.id, 'listApiKeys'),
    ...pageRefetchOptions({ isDialogOpen: shownDialog !== null }),
  });
  const { data, error } = read;
  const { data: calls = [] } = useQuery({
    ...routeQuery(account.id, 'listCallsOfKeys'),
    ...pageRefetchOptions({ isDialogOpen: shownDialog !== null }),
  });
  const { data: tokensOfLeavers = [] } = useQuery({
    ...routeQuery(account.id, 'listTokensOfLeavers'),
    ...pageRefetchOptions({ isDialogOpen: shownDialog !== null }),
  });
  const finalFocus = useReturnFocus(shownDialog?.opener ?? null, data);
  const createdLinkId = useNavigationFocus(!read.isFetching);
  const mayCreate = mayAct(role, 'api-keys.create');
  const listed = dataIfPermitted(data, error);
  const revoked = useOlderApiKeys(account.id, 'revoked');
  const expired = useOlderApiKeys(account.id, 'expired');
  const apiKeys = listed && mergeApiKeys(listed, [...revoked.apiKeys, ...expired.apiKeys]);
  const hasCreateAbove = mayCreate && !isForbidden(error) && apiKeys?.length !== 0;

  return (
    <>
      <ApiKeysHeading
        actions={
          hasCreateAbove ? (
            <>
              {mayAct(role, 'api-keys.revoke') && <IncidentLink />}
              <CreateKeyLink />
            </>
          ) : undefined
        }
        mayRotate={mayAct(role, 'api-keys.rotate')}
      />
      {apiKeys && apiKeys.length > 0 && (
        <>
          <RoleNote role={role} accountName={account.name} />
          <div className="grid gap-2 not-empty:mb-6">
            {apiKeys.some((apiKey) => actions.openRequestsFor(apiKey).length > 0) && (
              <Suspense>
                <IncomingRotationRequests
                  apiKeys={apiKeys}
                  personId={session.person.id}
                  actions={actions}
                  now={now}
                />
              </Suspense>
            )}
            {apiKeys.map((apiKey) => (
              <InitialKeyBanner key={apiKey.uuid} apiKey={apiKey} actions={actions} now={now} />
            ))}
          </div>
        </>
      )}
      <ReadFailure what="The list" shown="the keys" noun="API keys" read={read} />
      {read.isPending && <ApiKeyTableSkeleton />}
      {apiKeys?.length === 0 && (
        <Suspense>
          <NoApiKeys publicUrl={publicUrl} mayCreate={mayCreate} />
        </Suspense>
      )}
      {apiKeys && apiKeys.length > 0 && (
        <ApiKeyList
          apiKeys={apiKeys}
          older={listed && mayOmitKeys(listed) ? { revoked, expired } : null}
          account={account}
          calls={new Map(calls.map(({ uuid, hours }) => [uuid, hours]))}
          tokensOfLeavers={Map.groupBy(tokensOfLeavers, ({ api_key: { uuid } }) => uuid)}
          personId={session.person.id}
          now={now}
          isBusy={read.isFetching}
          actions={actions}
          createdLinkId={createdLinkId}
          onStale={refetch}
        />
      )}
      <LazyApiKeyDialog
        {...dialog}
        latestApiKey={apiKeys?.find(({ uuid }) => uuid === shownDialog?.apiKey.uuid)}
        finalFocus={finalFocus}
      />
    </>
  );
}

// Rendered with the page, so that nothing moves, but loaded only where they are shown.
const IncomingRotationRequests = lazy(async () => {
  const { IncomingRotationRequests: Loaded } =
    await import('../actions/incoming-rotation-requests.tsx');
  return { default: Loaded };
});

const NoApiKeys = lazy(async () => {
  const { NoApiKeys: Loaded } = await import('./no-api-keys.tsx');
  return { default: Loaded };
});
