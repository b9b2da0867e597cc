'use client';

import { useQuery } from '@tanstack/react-query';

import { useNow } from '#components/ui/use-now.ts';
import { ApiError } from '#lib/api/api-error.ts';
import type { Role } from '#lib/contract/roles.ts';
import { apiKeyQuery } from '#lib/queries/api-keys.ts';

import { ApiKeyAct } from './api-key-act.tsx';
import { ApiKeyBanner } from './api-key-banner.tsx';
import { ApiKeyFacts } from './api-key-facts.tsx';
import { ApiKeyHeading } from './api-key-heading.tsx';
import { ApiKeySkeleton } from './api-key-skeleton.tsx';
import { ApiKeyTokens } from './api-key-tokens.tsx';
import { ApiKeysFailure } from './api-keys-failure.tsx';
import { mayHandle } from './may-handle.ts';
import { TryApiKey } from './try-api-key.tsx';
import { useApiKeyActs } from './use-api-key-acts.ts';
import { useReturnFocus } from './use-return-focus.ts';

type ApiKeyPageProps = {
  account: { id: string; name: string };
  role: Role;
  /** As it stands in the address: uuid or id. */
  reference: string;
  publicUrl: string;
  renderedAt: string;
};

/** Everything known about one key, and everything that can be done to it. */
export function ApiKeyPage({ account, role, reference, publicUrl, renderedAt }: ApiKeyPageProps) {
  const { acts, asked, ...asking } = useApiKeyActs({ accountId: account.id, role });
  const { data, error, ...reading } = useQuery({
    ...apiKeyQuery(account.id, reference),
    // Coming back to the tab with a token on show must change nothing under it.
    refetchOnWindowFocus: asked === null,
    refetchOnReconnect: asked === null,
  });
  const finalFocus = useReturnFocus(asked?.opener ?? null, data);
  const now = useNow() ?? new Date(renderedAt);
  const isForbidden = error instanceof ApiError && error.code === 'FORBIDDEN';
  const apiKey = isForbidden ? undefined : data;
  const onEndPrevious = apiKey && mayHandle(role, apiKey) ? acts.onEndPrevious : undefined;

  if (apiKey === undefined && error === null) return <ApiKeySkeleton />;
  return (
    <>
      <ApiKeyHeading apiKey={apiKey} now={now} acts={acts} />
      {error && (
        <ApiKeysFailure
          what="key"
          error={error}
          failedAt={reading.errorUpdatedAt}
          readAt={apiKey ? reading.dataUpdatedAt : null}
          onRetry={() => void reading.refetch()}
          isRetrying={reading.isFetching}
        />
      )}
      {apiKey && (
        <div aria-busy={reading.isFetching || undefined} className="grid gap-10 max-sm:gap-8">
          <ApiKeyBanner
            apiKey={apiKey}
            now={now}
            mayEdit={acts.mayEdit}
            mayEnd={onEndPrevious !== undefined}
          />
          <ApiKeyTokens apiKey={apiKey} now={now} onEndPrevious={onEndPrevious} />
          <ApiKeyFacts apiKey={apiKey} now={now} />
          <TryApiKey apiKey={apiKey} now={now} publicUrl={publicUrl} />
        </div>
      )}
      {asked && (
        <ApiKeyAct
          key={asked.kind}
          asked={asked}
          current={apiKey}
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
