'use client';

import { useQuery } from '@tanstack/react-query';

import { useNow } from '#components/ui/use-now.ts';
import { ApiError } from '#lib/api/api-error.ts';
import { mayAct, type Role } from '#lib/contract/roles.ts';
import { apiKeysQuery } from '#lib/queries/api-keys.ts';

import { ApiKeyAct } from './api-key-act.tsx';
import { ApiKeyList } from './api-key-list.tsx';
import { ApiKeyTable } from './api-key-table.tsx';
import { ApiKeysFailure } from './api-keys-failure.tsx';
import { ApiKeysHeading } from './api-keys-heading.tsx';
import { NoApiKeys } from './no-api-keys.tsx';
import { useApiKeyActs } from './use-api-key-acts.ts';
import { useReturnFocus } from './use-return-focus.ts';

type ApiKeysProps = {
  account: { id: string; name: string };
  role: Role;
  publicUrl: string;
  /** The server's clock, so that the browser's first picture equals the server's. */
  renderedAt: string;
};

/** The page: the list in each of its states, and the dialogs of its rows. */
export function ApiKeys({ account, role, publicUrl, renderedAt }: ApiKeysProps) {
  const { acts, asked, ...asking } = useApiKeyActs({ accountId: account.id, role });
  const { data, error, ...reading } = useQuery({
    ...apiKeysQuery(account.id),
    // Coming back to the tab with a token on show must change nothing under it.
    refetchOnWindowFocus: asked === null,
    refetchOnReconnect: asked === null,
  });
  const finalFocus = useReturnFocus(asked?.opener ?? null, data);
  const now = useNow() ?? new Date(renderedAt);
  const mayCreate = mayAct(role, 'api-keys.create');
  // What was read while it was allowed is not shown any longer once it is forbidden.
  const isForbidden = error instanceof ApiError && error.code === 'FORBIDDEN';
  const apiKeys = isForbidden ? undefined : data;
  const hasCreateAbove = mayCreate && !isForbidden && apiKeys?.length !== 0;

  return (
    <>
      <ApiKeysHeading hasCreate={hasCreateAbove} />
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
          accountName={account.name}
          now={now}
          isBusy={reading.isFetching}
          acts={acts}
        />
      )}
      {asked && (
        <ApiKeyAct
          key={asked.apiKey.uuid}
          asked={asked}
          current={apiKeys?.find(({ uuid }) => uuid === asked.apiKey.uuid)}
          now={now}
          role={role}
          accountName={account.name}
          finalFocus={finalFocus}
          onStale={asking.refetch}
          onClosed={asking.close}
        />
      )}
    </>
  );
}
