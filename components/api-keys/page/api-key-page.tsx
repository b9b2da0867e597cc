'use client';

import { useQuery } from '@tanstack/react-query';

import { ChangesForSupport } from '#components/shell/audit-entry/changes-for-support.tsx';
import { useNow } from '#components/ui/rendering/use-now.ts';
import { mayBeShown } from '#lib/contract/api-keys/ceiling.ts';
import { memberRightsOf } from '#lib/contract/rights/member-rights.ts';
import {
  pageRefetchInterval,
  pageRefetchOptions,
  refetchDelay,
} from '#lib/queries/refetch-interval.ts';
import { whilePermitted } from '#lib/queries/while-permitted.ts';

import { LazyApiKeyDialog } from '../actions/lazy-api-key-dialog.tsx';
import { ApiKeyBanner } from './api-key-banner.tsx';
import { ApiKeyFacts } from './api-key-facts.tsx';
import { ApiKeyHeading } from './api-key-heading.tsx';
import { ApiKeySkeleton } from './api-key-skeleton.tsx';
import { ApiKeyTokens } from './api-key-tokens.tsx';
import { ReadFailure } from '#components/shell/page/read-failure.tsx';
import { IncomingRotationRequests } from '../actions/incoming-rotation-requests.tsx';
import { RoleNote } from '../role-note.tsx';
import { InitialKeyBanner } from '../actions/initial-key-banner.tsx';
import { OutgoingRotationRequest } from './outgoing-rotation-request.tsx';
import { TryApiKey } from './try-api-key.tsx';
import { FailedCalls } from './failed-calls.tsx';
import { isWatched } from '../token-last-use.ts';
import { useKeyActionFromUrl } from './use-key-action-from-url.ts';
import { useApiKeyActions } from '../actions/use-api-key-actions.ts';
import { useReturnFocus } from '#components/shell/page/use-return-focus.ts';
import { UnconfirmedPanel } from './unconfirmed-panel.tsx';
import type { Session } from '#lib/contract/people/sessions.ts';
import { routeQuery } from '#lib/queries/route-query.ts';

type ApiKeyPageProps = {
  session: Session;
  /** From the URL: uuid or id. */
  reference: string;
  publicUrl: string;
  renderedAt: string;
};

/** How often the page looks for the first call after a rotation. */
const watchingMs = 3000;

/** The page of one key, with its details and actions. */
export function ApiKeyPage({ session, reference, publicUrl, renderedAt }: ApiKeyPageProps) {
  const { account, role } = session;
  const now = useNow() ?? new Date(renderedAt);
  const { actions, shownDialog, ...controls } = useApiKeyActions(session, now);
  // The dialog that ends a token shows no secret, and must say whether the token is still used.
  const isEnding = shownDialog?.kind === 'end-token';
  const isDialogOpen = shownDialog !== null && !isEnding;
  const { data, error, ...reading } = useQuery({
    ...routeQuery(account.id, 'getApiKey', { params: { apiKey: reference } }),
    ...pageRefetchOptions({ isDialogOpen }),
    refetchInterval: ({ state }) => {
      if (isDialogOpen) return false;
      const isWatching =
        isEnding || (state.data !== undefined && isWatched(state.data, new Date()));
      return isWatching ? refetchDelay(state.error, watchingMs) : pageRefetchInterval({ state });
    },
  });
  const finalFocus = useReturnFocus(shownDialog?.opener ?? null, data);
  const apiKey = whilePermitted(data, error);
  const onEndToken =
    apiKey && mayBeShown(memberRightsOf(session), apiKey.scopes) ? actions.onEndToken : undefined;

  useKeyActionFromUrl(apiKey, actions);

  if (apiKey === undefined && error === null) return <ApiKeySkeleton />;
  return (
    <>
      <ApiKeyHeading apiKey={apiKey} now={now} actions={actions} />
      {error && (
        <ReadFailure
          what="The key"
          shown="the key"
          noun="API keys"
          error={error}
          isShown={apiKey !== undefined}
          reading={reading}
        />
      )}
      {apiKey && <RoleNote role={role} accountName={account.name} />}
      {apiKey && (
        <div aria-busy={reading.isFetching || undefined} className="grid gap-10 max-sm:gap-8">
          <div className="grid gap-3 empty:hidden">
            <IncomingRotationRequests
              apiKeys={[apiKey]}
              personId={session.person.id}
              actions={actions}
              now={now}
            />
            <OutgoingRotationRequest
              apiKey={apiKey}
              personId={session.person.id}
              actions={actions}
              now={now}
            />
            <InitialKeyBanner apiKey={apiKey} actions={actions} now={now} />
            <UnconfirmedPanel
              apiKey={apiKey}
              actions={actions}
              now={now}
              onStale={controls.refetch}
            />
            <ApiKeyBanner
              apiKey={apiKey}
              now={now}
              mayEdit={actions.mayEdit}
              mayEnd={onEndToken !== undefined}
            />
          </div>
          <ApiKeyTokens apiKey={apiKey} now={now} onEndToken={onEndToken} />
          <FailedCalls accountId={account.id} reference={reference} isDialogOpen={isDialogOpen} />
          <ApiKeyFacts apiKey={apiKey} now={now} />
          <TryApiKey apiKey={apiKey} now={now} publicUrl={publicUrl} />
          <ChangesForSupport
            role={role}
            accountId={account.id}
            of={{ kind: 'api-keys', uuid: apiKey.uuid }}
          />
        </div>
      )}
      <LazyApiKeyDialog
        shouldLoad={shownDialog !== null}
        shownDialog={shownDialog}
        latestApiKey={apiKey}
        now={now}
        session={session}
        finalFocus={finalFocus}
        onStale={controls.refetch}
        onClosed={controls.closeDialog}
      />
    </>
  );
}
