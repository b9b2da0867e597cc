'use client';

import { useQuery } from '@tanstack/react-query';

import { useNow } from '#components/ui/use-now.ts';
import { ApiError } from '#lib/api/api-error.ts';
import { mayBeShown, memberRightsOf } from '#lib/contract/ceiling.ts';
import { apiKeyQuery } from '#lib/queries/api-keys.ts';

import { ApiKeyAct } from './api-key-act.tsx';
import { ApiKeyBanner } from './api-key-banner.tsx';
import { ApiKeyFacts } from './api-key-facts.tsx';
import { ApiKeyHeading } from './api-key-heading.tsx';
import { ApiKeySkeleton } from './api-key-skeleton.tsx';
import { ApiKeyTokens } from './api-key-tokens.tsx';
import { ApiKeysFailure } from './api-keys-failure.tsx';
import { AskedToRotate } from './asked-to-rotate.tsx';
import { RoleNote } from './role-note.tsx';
import { RotateInitialKey } from './rotate-initial-key.tsx';
import { RotationWaits } from './rotation-waits.tsx';
import { TryApiKey } from './try-api-key.tsx';
import { useApiKeyActs } from './use-api-key-acts.ts';
import { useReturnFocus } from '#components/shell/use-return-focus.ts';
import type { Viewer } from './viewer.ts';

type ApiKeyPageProps = {
  viewer: Viewer;
  /** As it stands in the address: uuid or id. */
  reference: string;
  publicUrl: string;
  renderedAt: string;
};

/** Everything known about one key, and everything that can be done to it. */
export function ApiKeyPage({ viewer, reference, publicUrl, renderedAt }: ApiKeyPageProps) {
  const { account, role } = viewer;
  const now = useNow() ?? new Date(renderedAt);
  const { acts, asked, ...asking } = useApiKeyActs(viewer, now);
  const { data, error, ...reading } = useQuery({
    ...apiKeyQuery(account.id, reference),
    // Coming back to the tab with a token on show must change nothing under it.
    refetchOnWindowFocus: asked === null,
    refetchOnReconnect: asked === null,
  });
  const finalFocus = useReturnFocus(asked?.opener ?? null, data);
  const isForbidden = error instanceof ApiError && error.code === 'FORBIDDEN';
  const apiKey = isForbidden ? undefined : data;
  const onEndToken =
    apiKey && mayBeShown(memberRightsOf(viewer), apiKey.scopes) ? acts.onEndToken : undefined;

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
      {apiKey && <RoleNote role={role} accountName={account.name} />}
      {apiKey && (
        <div aria-busy={reading.isFetching || undefined} className="grid gap-10 max-sm:gap-8">
          <div className="grid gap-3 empty:hidden">
            <AskedToRotate apiKeys={[apiKey]} acts={acts} now={now} />
            <RotationWaits apiKey={apiKey} personId={viewer.person.id} acts={acts} />
            <RotateInitialKey apiKey={apiKey} acts={acts} now={now} />
            <ApiKeyBanner
              apiKey={apiKey}
              now={now}
              mayEdit={acts.mayEdit}
              mayEnd={onEndToken !== undefined}
            />
          </div>
          <ApiKeyTokens apiKey={apiKey} now={now} onEndToken={onEndToken} />
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
          viewer={viewer}
          finalFocus={finalFocus}
          onStale={asking.refetch}
          onClosed={asking.close}
        />
      )}
    </>
  );
}
