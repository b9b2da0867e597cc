'use client';

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';

import { useToast } from '#components/ui/toast.tsx';
import { useCopy } from '#components/ui/use-copy.ts';
import type { ApiKey } from '#lib/contract/api-keys.ts';
import { memberMay, memberRightsOf } from '#lib/contract/ceiling.ts';
import type { RotationRequest } from '#lib/contract/rotation-requests.ts';
import { apiKeysQuery } from '#lib/queries/api-keys.ts';
import { rotationRequestsQuery } from '#lib/queries/rotation-requests.ts';

import type { OpenApiKeyDialog } from './open-api-key-dialog.ts';
import {
  type RotationOption,
  findRotationOption,
  findOpenRequest,
} from '../rotation/rotation-option.ts';
import type { OlderToken } from '../older-tokens.ts';
import type { Viewer } from '../viewer.ts';

/** An act upon a key; `opener` is where focus returns to. */
export type KeyHandler = (apiKey: ApiKey, opener: HTMLElement | null) => void;

/** An act upon one of a key's older tokens. */
export type TokenHandler = (apiKey: ApiKey, token: OlderToken, opener: HTMLElement | null) => void;

/** What a person may do to a key; a missing act is one their role does not have. */
export type KeyActions = {
  /** How they get it rotated. */
  rotationOptionFor: (apiKey: ApiKey) => RotationOption;
  /** Rotates it, for the request that names them if there is one. */
  onRotate: KeyHandler;
  onRequestRotation: KeyHandler;
  /** Withdraws their request, or declines the one that names them. */
  onCloseRequest: KeyHandler;
  /** Ends the key that they reported as leaked. */
  onRevokeLeaked: KeyHandler;
  onRevoke: KeyHandler | undefined;
  onEndToken: TokenHandler | undefined;
  mayEdit: boolean;
  onCopyId: KeyHandler;
};

type ApiKeyActionsState = {
  actions: KeyActions;
  /** The open request for a key's rotation, as far as it is this person's to know. */
  requestFor: (apiKey: ApiKey) => RotationRequest | null;
  /** The act whose dialog is open. */
  openDialog: OpenApiKeyDialog | null;
  /** Makes what was read of any key be read again. */
  refetch: () => void;
  closeDialog: (didChange: boolean) => void;
};

/** The acts upon keys, wherever a key is shown, and which of them is being asked about. */
export function useApiKeyActions({ person, account, role }: Viewer, now: Date): ApiKeyActionsState {
  const [openDialog, setOpenDialog] = useState<OpenApiKeyDialog | null>(null);
  const queryClient = useQueryClient();
  const { copy } = useCopy();
  const toast = useToast();
  const rights = memberRightsOf({ role, account });
  const mayRotate = memberMay(rights, 'api-keys.rotate');
  const { data: requests = [] } = useQuery({
    ...rotationRequestsQuery(account.id),
    enabled: mayRotate,
    // Coming back to the tab with a token on show must change nothing under it.
    refetchOnWindowFocus: openDialog === null,
    refetchOnReconnect: openDialog === null,
  });

  function requestFor(apiKey: ApiKey) {
    return findOpenRequest(apiKey, { requests, now });
  }

  function handlerFor(kind: Exclude<OpenApiKeyDialog['kind'], 'end-token'>): KeyHandler {
    return (apiKey, opener) =>
      setOpenDialog({ kind, apiKey, opener, request: requestFor(apiKey), token: null });
  }

  const openEndToken: TokenHandler = (apiKey, token, opener) =>
    setOpenDialog({ kind: 'end-token', apiKey, opener, request: null, token });

  function refetch() {
    // The keys of the single ones begin with the list's, so they are meant as well.
    void queryClient.invalidateQueries({ queryKey: apiKeysQuery(account.id).queryKey });
    void queryClient.invalidateQueries({ queryKey: rotationRequestsQuery(account.id).queryKey });
  }

  async function copyId(apiKey: ApiKey, opener: HTMLElement | null) {
    if (await copy(apiKey.uuid)) toast(`Key ID of ${apiKey.name} copied`);
    else handlerFor('show-id')(apiKey, opener);
  }

  return {
    actions: {
      rotationOptionFor: (apiKey) =>
        findRotationOption(apiKey, { rights, personId: person.id, requests, now }),
      onRotate: handlerFor('rotate'),
      onRequestRotation: handlerFor('request-rotation'),
      onCloseRequest: handlerFor('close-request'),
      onRevokeLeaked: handlerFor('revoke-leaked'),
      onEndToken: memberMay(rights, 'api-keys.end-tokens') ? openEndToken : undefined,
      onRevoke: memberMay(rights, 'api-keys.revoke') ? handlerFor('revoke') : undefined,
      mayEdit: memberMay(rights, 'api-keys.update'),
      onCopyId: (apiKey, opener) => void copyId(apiKey, opener),
    },
    requestFor,
    openDialog,
    refetch,
    closeDialog: (didChange) => {
      setOpenDialog(null);
      // Not before: a list that comes anew could take the dialog and the token with it.
      if (didChange) refetch();
    },
  };
}
