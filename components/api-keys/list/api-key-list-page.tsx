'use client';

import { useQuery } from '@tanstack/react-query';

import { useNavigationFocus } from '#components/shell/page/navigation-focus.tsx';
import { ReadFailure } from '#components/shell/page/read-failure.tsx';
import { useReturnFocus } from '#components/shell/page/use-return-focus.ts';
import { CodeBlock } from '#components/ui/data-display/code-block.tsx';
import { EmptyState } from '#components/ui/feedback/empty-state.tsx';
import { useNow } from '#components/ui/rendering/use-now.ts';
import type { Session } from '#lib/contract/people/sessions.ts';
import { mayAct } from '#lib/contract/rights/roles.ts';
import { pageRefetchOptions } from '#lib/queries/refetch-interval.ts';
import { routeQuery } from '#lib/queries/route-query.ts';
import { isForbidden, dataIfPermitted } from '#lib/queries/data-if-permitted.ts';

import { IncomingRotationRequests } from '../actions/incoming-rotation-requests.tsx';
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
            <IncomingRotationRequests
              apiKeys={apiKeys}
              personId={session.person.id}
              actions={actions}
              now={now}
            />
            {apiKeys.map((apiKey) => (
              <InitialKeyBanner key={apiKey.uuid} apiKey={apiKey} actions={actions} now={now} />
            ))}
          </div>
        </>
      )}
      <ReadFailure what="The list" shown="the keys" noun="API keys" read={read} />
      {read.isPending && <ApiKeyTableSkeleton />}
      {apiKeys?.length === 0 && <NoApiKeys publicUrl={publicUrl} mayCreate={mayCreate} />}
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

type NoApiKeysProps = { publicUrl: string; mayCreate: boolean };

/** Shown in an account without keys: what a key is for and how to create and try one. */
function NoApiKeys({ publicUrl, mayCreate }: NoApiKeysProps) {
  return (
    <EmptyState
      title="No keys yet"
      actions={mayCreate ? <CreateKeyLink /> : undefined}
      example={
        <CodeBlock
          title="Try it once you have a token"
          code={[
            `curl ${publicUrl}/api/v1/conversations \\`,
            '  -H "Authorization: Bearer $MESSAGING_API_KEY" \\',
            '  -H "Accept: application/json"',
          ].join('\n')}
        />
      }
    >
      A key lets a server, app or bot call the API. Create a key for each of them, so that you can
      revoke one without stopping the others.
      {mayCreate ? '' : ' An owner or an admin can create keys.'}
    </EmptyState>
  );
}
