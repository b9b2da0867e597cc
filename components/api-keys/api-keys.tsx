'use client';

import { useQuery } from '@tanstack/react-query';

import { useNow } from '#components/ui/use-now.ts';
import { ApiError } from '#lib/api/api-error.ts';
import { mayAct } from '#lib/contract/roles.ts';
import { apiKeysQuery } from '#lib/queries/api-keys.ts';

import { ApiKeyAct } from './api-key-act.tsx';
import { ApiKeyList } from './api-key-list.tsx';
import { ApiKeyTable } from './api-key-table.tsx';
import { ApiKeysFailure } from './api-keys-failure.tsx';
import { ApiKeysHeading } from './api-keys-heading.tsx';
import { AskedToRotate } from './asked-to-rotate.tsx';
import { mayLeaveOut, mergeApiKeys } from './merge-api-keys.ts';
import { NoApiKeys } from './no-api-keys.tsx';
import { RoleNote } from './role-note.tsx';
import { RotateInitialKey } from './rotate-initial-key.tsx';
import { useApiKeyActs } from './use-api-key-acts.ts';
import { useOlderApiKeys } from './use-older-api-keys.ts';
import { useReturnFocus } from '#components/shell/use-return-focus.ts';
import type { Viewer } from './viewer.ts';

type ApiKeysProps = {
  viewer: Viewer;
  publicUrl: string;
  /** The server's clock, so that the browser's first picture equals the server's. */
  renderedAt: string;
};

/** The page: the list in each of its states, and the dialogs of its rows. */
export function ApiKeys({ viewer, publicUrl, renderedAt }: ApiKeysProps) {
  const { account, role } = viewer;
  const now = useNow() ?? new Date(renderedAt);
  const { acts, asked, ...asking } = useApiKeyActs(viewer, now);
  const { data, error, ...reading } = useQuery({
    ...apiKeysQuery(account.id),
    // Coming back to the tab with a token on show must change nothing under it.
    refetchOnWindowFocus: asked === null,
    refetchOnReconnect: asked === null,
  });
  const finalFocus = useReturnFocus(asked?.opener ?? null, data);
  const mayCreate = mayAct(role, 'api-keys.create');
  // What was read while it was allowed is not shown any longer once it is forbidden.
  const isForbidden = error instanceof ApiError && error.code === 'FORBIDDEN';
  const listed = isForbidden ? undefined : data;
  const older = {
    revoked: useOlderApiKeys(account.id, 'revoked'),
    expired: useOlderApiKeys(account.id, 'expired'),
  };
  const apiKeys =
    listed && mergeApiKeys(listed, [...older.revoked.apiKeys, ...older.expired.apiKeys]);
  const hasCreateAbove = mayCreate && !isForbidden && apiKeys?.length !== 0;

  return (
    <>
      <ApiKeysHeading hasCreate={hasCreateAbove} />
      {apiKeys && apiKeys.length > 0 && (
        <>
          <RoleNote role={role} accountName={account.name} />
          <div className="grid gap-2 not-empty:mb-6">
            <AskedToRotate apiKeys={apiKeys} acts={acts} now={now} />
            {apiKeys.map((apiKey) => (
              <RotateInitialKey key={apiKey.uuid} apiKey={apiKey} acts={acts} now={now} />
            ))}
          </div>
        </>
      )}
      {error && (
        <ApiKeysFailure
          error={error}
          failedAt={reading.errorUpdatedAt}
          readAt={apiKeys ? reading.dataUpdatedAt : null}
          onRetry={() => void reading.refetch()}
          isRetrying={reading.isFetching}
        />
      )}
      {reading.isPending && <ApiKeyTable caption="Loading API keys" isBusy />}
      {apiKeys?.length === 0 && <NoApiKeys publicUrl={publicUrl} mayCreate={mayCreate} />}
      {apiKeys && apiKeys.length > 0 && (
        <ApiKeyList
          apiKeys={apiKeys}
          older={listed && mayLeaveOut(listed) ? older : null}
          accountName={account.name}
          personId={viewer.person.id}
          now={now}
          isBusy={reading.isFetching}
          acts={acts}
          requestFor={asking.requestFor}
        />
      )}
      {asked && (
        <ApiKeyAct
          key={asked.apiKey.uuid}
          asked={asked}
          current={apiKeys?.find(({ uuid }) => uuid === asked.apiKey.uuid)}
          now={now}
          viewer={viewer}
          finalFocus={finalFocus}
          onStale={asking.refetch}
          onClosed={asking.close}
        />
      )}
    </>
  );
}
