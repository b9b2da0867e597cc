import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ReadFailure } from '#components/shell/page/read-failure.tsx';
import { TabLinks } from '#components/shell/page/tab-links.tsx';
import { useReturnFocus } from '#components/shell/page/use-return-focus.ts';
import { useNow } from '#components/ui/rendering/use-now.ts';
import type { ApiKey } from '#lib/contract/api-keys/api-key.ts';
import { mayBeShown } from '#lib/contract/api-keys/ceiling.ts';
import type { Session } from '#lib/contract/people/sessions.ts';
import { memberRightsOf } from '#lib/contract/rights/member-rights.ts';
import {
  pageRefetchInterval,
  pageRefetchOptions,
  refetchDelay,
} from '#lib/queries/refetch-interval.ts';
import { routeQuery } from '#lib/queries/route-query.ts';
import { dataIfPermitted } from '#lib/queries/data-if-permitted.ts';
import { LazyApiKeyDialog } from '../actions/lazy-api-key-dialog.tsx';
import {
  type KeyActions,
  type TokenHandler,
  useApiKeyActions,
} from '../actions/use-api-key-actions.ts';
import { apiKeyPath } from '../api-key-path.ts';
import { RoleNote } from '../role-note.tsx';
import { isWatched } from '../token-last-use.ts';
import { ApiKeyHeading } from './api-key-heading.tsx';
import { ApiKeySkeleton } from './api-key-skeleton.tsx';

type ShownApiKey = {
  apiKey: ApiKey;
  now: Date;
  actions: KeyActions;
  /** Undefined if the person may not end tokens of this key. */
  onEndToken: TokenHandler | undefined;
  /** The same for extending their time. */
  onExtendToken: TokenHandler | undefined;
  /** Whether a dialog is open that may show a token: nothing is read again until it is closed. */
  isDialogOpen: boolean;
  refetch: () => void;
};

type ApiKeyFrameProps = {
  session: Session;
  /** From the URL: uuid or id. */
  reference: string;
  tab: 'overview' | 'usage';
  renderedAt: string;
  /** Renders the tab once the key is known. */
  children: (shown: ShownApiKey) => ReactNode;
};

/** How often the page looks for the first call after a rotation. */
const watchingMs = 3000;

/** What the pages of one key share: its heading, its actions and their dialogs. */
export function ApiKeyFrame({ session, reference, tab, renderedAt, children }: ApiKeyFrameProps) {
  const { account, role } = session;
  const now = useNow() ?? new Date(renderedAt);
  const { actions, shownDialog, dialog, refetch } = useApiKeyActions(session, now);
  // The dialog that ends a token shows no secret, and must say whether the token is still used.
  const isEnding = shownDialog?.kind === 'end-token';
  const isDialogOpen = shownDialog !== null && !isEnding;
  const read = useQuery({
    ...routeQuery(account.id, 'getApiKey', { params: { apiKey: reference } }),
    ...pageRefetchOptions({ isDialogOpen }),
    refetchInterval: ({ state }) => {
      if (isDialogOpen) return false;
      const isWatching =
        isEnding || (state.data !== undefined && isWatched(state.data, new Date()));
      return isWatching ? refetchDelay(state.error, watchingMs) : pageRefetchInterval({ state });
    },
  });
  const { data, error } = read;
  const finalFocus = useReturnFocus(shownDialog?.opener ?? null, data);
  const apiKey = dataIfPermitted(data, error);
  const mayHandle = apiKey !== undefined && mayBeShown(memberRightsOf(session), apiKey.scopes);
  const onEndToken = mayHandle ? actions.onEndToken : undefined;
  const onExtendToken = mayHandle ? actions.onExtendToken : undefined;

  if (apiKey === undefined && error === null) return <ApiKeySkeleton />;
  return (
    <>
      <ApiKeyHeading apiKey={apiKey} now={now} actions={actions} />
      <ReadFailure what="The key" shown="the key" noun="API keys" read={read} />
      {apiKey && (
        <>
          <RoleNote role={role} accountName={account.name} />
          <TabLinks
            label={apiKey.name}
            tabs={[
              { href: apiKeyPath(apiKey), label: 'Overview', isCurrent: tab === 'overview' },
              { href: `${apiKeyPath(apiKey)}/usage`, label: 'Usage', isCurrent: tab === 'usage' },
            ]}
          />
          <div aria-busy={read.isFetching || undefined} className="grid gap-10 max-sm:gap-8">
            {children({
              apiKey,
              now,
              actions,
              onEndToken,
              onExtendToken,
              isDialogOpen,
              refetch,
            })}
          </div>
        </>
      )}
      <LazyApiKeyDialog {...dialog} latestApiKey={apiKey} finalFocus={finalFocus} />
    </>
  );
}
