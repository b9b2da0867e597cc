import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { findOpenRequests } from '#components/shell/requests/open-requests.ts';
import type { OlderToken } from '#components/shell/states/older-tokens.ts';
import { useCopy } from '#components/ui/buttons/use-copy.ts';
import { useToast } from '#components/ui/feedback/toast.tsx';
import type { ApiKey } from '#lib/contract/api-keys/api-key.ts';
import { mayBeShown } from '#lib/contract/api-keys/ceiling.ts';
import type { RotationRequest } from '#lib/contract/api-keys/rotation-requests.ts';
import type { Session } from '#lib/contract/people/sessions.ts';
import { memberMay, memberRightsOf } from '#lib/contract/rights/member-rights.ts';
import type { Act } from '#lib/contract/rights/roles.ts';
import { pageRefetchOptions } from '#lib/queries/refetch-interval.ts';
import { routeQuery } from '#lib/queries/route-query.ts';
import { queriesAbout } from '#lib/queries/stale-reads.ts';
import { findRotationOption, type RotationOption } from '../rotation/rotation-option.ts';
import { findUnconfirmedOptions, type UnconfirmedOptions } from '../unconfirmed-token.ts';
import type { ApiKeyDialogOutcome, ShownApiKeyDialog } from './shown-api-key-dialog.ts';

/** Starts an action on a key. The focus returns to `opener` afterwards. */
export type KeyHandler = (apiKey: ApiKey, opener: HTMLElement | null) => void;

/**
 * Starts an action on a rotation request of a key. Without `request`, it is the open request that
 * the person made; for a rotation, the one in which they were asked.
 */
export type RequestHandler = (
  apiKey: ApiKey,
  opener: HTMLElement | null,
  request?: RotationRequest,
) => void;

export type TokenHandler = (apiKey: ApiKey, token: OlderToken, opener: HTMLElement | null) => void;

/** What the person can do with a key. A handler is undefined if their role does not allow it. */
export type KeyActions = {
  rotationOptionFor: (apiKey: ApiKey) => RotationOption;
  /** The open rotation requests of a key that this person can see, the most urgent first. */
  openRequestsFor: (apiKey: ApiKey) => RotationRequest[];
  /** Rotates the key, and fulfills the request if it is addressed to them. */
  onRotate: RequestHandler;
  /** The same because its token leaked: it ends immediately, unless they choose otherwise. */
  onRotateLeaked: KeyHandler;
  onRequestRotation: KeyHandler;
  /** Requests a rotation because the token leaked; then they can revoke the key immediately. */
  onReportLeak: KeyHandler;
  /** Withdraws their own request, or declines the one addressed to them. */
  onCloseRequest: RequestHandler;
  /** What they can do about a token that nobody confirmed having. */
  unconfirmedOptionsFor: (apiKey: ApiKey) => UnconfirmedOptions;
  /** Shows a new token in its place. */
  onShowNewToken: KeyHandler;
  onUndoRotation: TokenHandler;
  /** Revokes the key that they reported as leaked. */
  onRevokeLeaked: RequestHandler;
  onPause: KeyHandler | undefined;
  onResume: KeyHandler | undefined;
  onRevoke: KeyHandler | undefined;
  onEndToken: TokenHandler | undefined;
  onExtendToken: TokenHandler | undefined;
  mayEdit: boolean;
  /** Emails the owners that the key expires, for people who cannot change that. */
  onNotifyOwners: KeyHandler | undefined;
  /** Whether they can make and receive requests. */
  mayRequest: boolean;
  mayReadAuditLog: boolean;
  onCopyId: KeyHandler;
};

type ApiKeyActionsState = {
  actions: KeyActions;
  shownDialog: ShownApiKeyDialog | null;
  /** For `LazyApiKeyDialog`. */
  dialog: {
    shownDialog: ShownApiKeyDialog | null;
    session: Session;
    now: Date;
    onStale: () => void;
    onClosed: (outcome: ApiKeyDialogOutcome) => void;
  };
  /** Reads all keys and rotation requests again. */
  refetch: () => void;
};

/** The actions on keys, for lists and pages that show keys, and the dialog that is open. */
export function useApiKeyActions(session: Session, now: Date): ApiKeyActionsState {
  const { person, account, role } = session;
  const [shownDialog, setShownDialog] = useState<ShownApiKeyDialog | null>(null);
  const { setLastFour, refetch } = useApiKeyCache(account.id);
  const { copy } = useCopy();
  const toast = useToast();
  // Created where it is needed. With one shared object, React Compiler would memoize none of the
  // actions, and every row of a list would be rendered again.
  const rights = () => memberRightsOf({ role, account });
  const may = (act: Act) => memberMay(rights(), act);
  const mayRotate = may('api-keys.rotate');
  const { data: requests = [] } = useQuery({
    ...routeQuery(account.id, 'listRotationRequests'),
    ...pageRefetchOptions({ isDialogOpen: shownDialog !== null }),
  });

  function openRequestsFor(apiKey: ApiKey) {
    return findOpenRequests(apiKey, { requests, personId: person.id, now });
  }

  function requestFor(apiKey: ApiKey, kind: ShownApiKeyDialog['kind']) {
    const isRotation = kind === 'rotate' || kind === 'rotate-leaked';
    const involved = ({ member, requested_by: requester }: RotationRequest) =>
      (isRotation ? member : requester).id === person.id;
    return openRequestsFor(apiKey).find(involved) ?? null;
  }

  function handlerFor(kind: Exclude<ShownApiKeyDialog['kind'], TokenDialog>): RequestHandler {
    return (apiKey, opener, request) => {
      const subject = request ?? requestFor(apiKey, kind);
      // A dialog without its subject would show nothing, and keep the page from being read again.
      if (subject === null && needsRequest(kind)) refetch();
      else {
        const isLeaked = kind === 'rotate' && openRequestsFor(apiKey)[0]?.reason === 'leaked';
        const opened = isLeaked ? 'rotate-leaked' : kind;
        setShownDialog({ kind: opened, apiKey, opener, request: subject, token: null });
      }
    };
  }

  function tokenHandlerFor(kind: TokenDialog): TokenHandler {
    return (apiKey, token, opener) => {
      if (kind === 'end-token') refetch();
      setShownDialog({ kind, apiKey, opener, request: null, token });
    };
  }

  async function copyId(apiKey: ApiKey, opener: HTMLElement | null) {
    if (await copy(apiKey.uuid)) toast(`Key ID of ${apiKey.name} copied`);
    else handlerFor('show-id')(apiKey, opener);
  }

  return {
    actions: {
      rotationOptionFor: (apiKey) =>
        findRotationOption(apiKey, { rights: rights(), personId: person.id, requests, now }),
      openRequestsFor,
      onRotate: handlerFor('rotate'),
      onRotateLeaked: handlerFor('rotate-leaked'),
      onRequestRotation: handlerFor('request-rotation'),
      onReportLeak: handlerFor('report-leak'),
      onCloseRequest: handlerFor('close-request'),
      unconfirmedOptionsFor: (apiKey) =>
        findUnconfirmedOptions(apiKey, {
          person: {
            id: person.id,
            mayRotate,
            maySeeToken: mayRotate && mayBeShown(rights(), apiKey.scopes),
            mayEndTokens: may('api-keys.end-tokens'),
          },
          now,
        }),
      onShowNewToken: handlerFor('show-new-token'),
      onUndoRotation: tokenHandlerFor('undo-rotation'),
      onRevokeLeaked: handlerFor('revoke-leaked'),
      onEndToken: may('api-keys.end-tokens') ? tokenHandlerFor('end-token') : undefined,
      onExtendToken: may('api-keys.extend-tokens') ? tokenHandlerFor('extend-token') : undefined,
      onPause: may('api-keys.revoke') ? handlerFor('pause') : undefined,
      onResume: may('api-keys.create') ? handlerFor('resume') : undefined,
      onRevoke: may('api-keys.revoke') ? handlerFor('revoke') : undefined,
      mayEdit: may('api-keys.update'),
      onNotifyOwners:
        may('requests.make') && !may('api-keys.update') ? handlerFor('notify-owners') : undefined,
      mayRequest: may('requests.make'),
      mayReadAuditLog: may('audit-log.read'),
      onCopyId: (apiKey, opener) => void copyId(apiKey, opener),
    },
    shownDialog,
    dialog: {
      shownDialog,
      session,
      now,
      onStale: refetch,
      onClosed: (outcome) => {
        setShownDialog(null);
        if (outcome.kind === 'rotated') setLastFour(outcome);
        // Only after the dialog is closed: a refetch could unmount it, and the token with it.
        if (outcome.kind !== 'cancelled') refetch();
      },
    },
    refetch,
  };
}

type TokenDialog = 'end-token' | 'extend-token' | 'undo-rotation';

function needsRequest(kind: ShownApiKeyDialog['kind']): boolean {
  return kind === 'close-request' || kind === 'revoke-leaked';
}

type ApiKeyCache = {
  /** Shows the end of a new token in the list and on the key's page. */
  setLastFour: (rotated: { uuid: string; lastFour: string }) => void;
  /** Reads all keys and rotation requests again. */
  refetch: () => void;
};

function useApiKeyCache(accountId: string): ApiKeyCache {
  const client = useQueryClient();
  const { queryKey } = routeQuery(accountId, 'listApiKeys');
  return {
    setLastFour: ({ uuid, lastFour }) => {
      const update = (one: ApiKey) => (one.uuid === uuid ? { ...one, last_four: lastFour } : one);
      client.setQueryData(queryKey, (list) => list?.map(update));
      client.setQueryData(
        routeQuery(accountId, 'getApiKey', { params: { apiKey: uuid } }).queryKey,
        (one) => one && update(one),
      );
    },
    refetch: () => {
      void client.invalidateQueries(queriesAbout('apiKeys', accountId));
      void client.invalidateQueries(queriesAbout('rotationRequests', accountId));
    },
  };
}
