'use client';

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';

import { useToast } from '#components/ui/toast.tsx';
import { useCopy } from '#components/ui/use-copy.ts';
import { useNow } from '#components/ui/use-now.ts';
import type { ApiKey } from '#lib/contract/api-keys.ts';
import { ApiError } from '#lib/api/api-error.ts';
import { mayAct, type Role } from '#lib/contract/roles.ts';
import { apiKeysQuery } from '#lib/queries/api-keys.ts';

import { ApiKeyList } from './api-key-list.tsx';
import { ApiKeyTable } from './api-key-table.tsx';
import { ApiKeysFailure } from './api-keys-failure.tsx';
import { ApiKeysHeading } from './api-keys-heading.tsx';
import { KeyIdDialog, type ShownKeyId } from './key-id-dialog.tsx';
import { NoApiKeys } from './no-api-keys.tsx';
import { type KeyToRotate, RotateApiKey } from './rotate-api-key.tsx';

type ApiKeysProps = {
  account: { id: string; name: string };
  role: Role;
  publicUrl: string;
  /** The server's clock, so that the browser's first picture equals the server's. */
  renderedAt: string;
};

/** The page: the list in each of its states, and the dialogs of its rows. */
export function ApiKeys({ account, role, publicUrl, renderedAt }: ApiKeysProps) {
  const [toRotate, setToRotate] = useState<KeyToRotate | null>(null);
  const query = apiKeysQuery(account.id);
  const { data, error, ...reading } = useQuery({
    ...query,
    // Coming back to the tab with a token on show must change nothing under it.
    refetchOnWindowFocus: toRotate === null,
    refetchOnReconnect: toRotate === null,
  });
  const queryClient = useQueryClient();
  const now = useNow() ?? new Date(renderedAt);
  const [shownId, setShownId] = useState<ShownKeyId | null>(null);
  const { copy } = useCopy();
  const toast = useToast();
  const mayCreate = mayAct(role, 'api-keys.create');
  const mayRotate = mayAct(role, 'api-keys.rotate');
  // What was read while it was allowed is not shown any longer once it is forbidden.
  const isForbidden = error instanceof ApiError && error.code === 'FORBIDDEN';
  const apiKeys = isForbidden ? undefined : data;
  const hasCreateAbove = mayCreate && !isForbidden && apiKeys?.length !== 0;

  async function copyId({ uuid, name }: ApiKey, opener: HTMLElement | null) {
    if (await copy(uuid)) toast(`Key ID of ${name} copied`);
    else setShownId({ uuid, name, opener });
  }

  return (
    <>
      <ApiKeysHeading hasCreate={hasCreateAbove} />
      {error && (
        <ApiKeysFailure
          error={error}
          failedAt={reading.errorUpdatedAt}
          rowsReadAt={apiKeys ? reading.dataUpdatedAt : null}
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
          onRotate={mayRotate ? (apiKey, opener) => setToRotate({ apiKey, opener }) : undefined}
          onCopyId={(apiKey, opener) => void copyId(apiKey, opener)}
        />
      )}
      {toRotate && (
        <RotateApiKey
          key={toRotate.apiKey.uuid}
          apiKey={apiKeys?.find(({ uuid }) => uuid === toRotate.apiKey.uuid) ?? toRotate.apiKey}
          now={now}
          role={role}
          accountName={account.name}
          opener={toRotate.opener}
          onStale={() => void queryClient.invalidateQueries(query)}
          onClosed={(didRotate) => {
            setToRotate(null);
            // Not before: a list that comes anew could take the dialog and the token with it.
            if (didRotate) void queryClient.invalidateQueries(query);
          }}
        />
      )}
      {shownId && <KeyIdDialog {...shownId} onClosed={() => setShownId(null)} />}
    </>
  );
}
