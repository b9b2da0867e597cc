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

import type { AskedAct } from './asked-act.ts';
import { type KeyRotation, keyRotation, openRequest } from './key-rotation.ts';
import type { OlderToken } from './older-tokens.ts';
import type { Viewer } from './viewer.ts';

/** An act upon a key; `opener` is where focus returns to. */
export type KeyAct = (apiKey: ApiKey, opener: HTMLElement | null) => void;

/** An act upon one of a key's older tokens. */
export type TokenAct = (apiKey: ApiKey, token: OlderToken, opener: HTMLElement | null) => void;

/** What a person may do to a key; a missing act is one their role does not have. */
export type KeyActs = {
  /** How they get it rotated. */
  rotationOf: (apiKey: ApiKey) => KeyRotation;
  /** Rotates it, for the request that names them if there is one. */
  onRotate: KeyAct;
  onRequestRotation: KeyAct;
  /** Withdraws their request, or declines the one that names them. */
  onClose: KeyAct;
  /** Ends the key that they reported as leaked. */
  onRevokeLeaked: KeyAct;
  onRevoke: KeyAct | undefined;
  onEndToken: TokenAct | undefined;
  mayEdit: boolean;
  onCopyId: KeyAct;
};

type ApiKeyActs = {
  acts: KeyActs;
  /** The open request for a key's rotation, as far as it is this person's to know. */
  requestFor: (apiKey: ApiKey) => RotationRequest | null;
  /** The act whose dialog is open. */
  asked: AskedAct | null;
  /** Makes what was read of any key be read again. */
  refetch: () => void;
  close: (didChange: boolean) => void;
};

/** The acts upon keys, wherever a key is shown, and which of them is being asked about. */
export function useApiKeyActs({ person, account, role }: Viewer, now: Date): ApiKeyActs {
  const [asked, setAsked] = useState<AskedAct | null>(null);
  const queryClient = useQueryClient();
  const { copy } = useCopy();
  const toast = useToast();
  const rights = memberRightsOf({ role, account });
  const mayRotate = memberMay(rights, 'api-keys.rotate');
  const { data: requests = [] } = useQuery({
    ...rotationRequestsQuery(account.id),
    enabled: mayRotate,
    // Coming back to the tab with a token on show must change nothing under it.
    refetchOnWindowFocus: asked === null,
    refetchOnReconnect: asked === null,
  });

  function requestFor(apiKey: ApiKey) {
    return openRequest(apiKey, { requests, now });
  }

  function ask(kind: Exclude<AskedAct['kind'], 'end-token'>): KeyAct {
    return (apiKey, opener) =>
      setAsked({ kind, apiKey, opener, request: requestFor(apiKey), token: null });
  }

  const askToEndToken: TokenAct = (apiKey, token, opener) =>
    setAsked({ kind: 'end-token', apiKey, opener, request: null, token });

  function refetch() {
    // The keys of the single ones begin with the list's, so they are meant as well.
    void queryClient.invalidateQueries({ queryKey: apiKeysQuery(account.id).queryKey });
    void queryClient.invalidateQueries({ queryKey: rotationRequestsQuery(account.id).queryKey });
  }

  async function copyId(apiKey: ApiKey, opener: HTMLElement | null) {
    if (await copy(apiKey.uuid)) toast(`Key ID of ${apiKey.name} copied`);
    else ask('show-id')(apiKey, opener);
  }

  return {
    acts: {
      rotationOf: (apiKey) => keyRotation(apiKey, { rights, personId: person.id, requests, now }),
      onRotate: ask('rotate'),
      onRequestRotation: ask('request-rotation'),
      onClose: ask('close-request'),
      onRevokeLeaked: ask('revoke-leaked'),
      onEndToken: memberMay(rights, 'api-keys.end-tokens') ? askToEndToken : undefined,
      onRevoke: memberMay(rights, 'api-keys.revoke') ? ask('revoke') : undefined,
      mayEdit: memberMay(rights, 'api-keys.update'),
      onCopyId: (apiKey, opener) => void copyId(apiKey, opener),
    },
    requestFor,
    asked,
    refetch,
    close: (didChange) => {
      setAsked(null);
      // Not before: a list that comes anew could take the dialog and the token with it.
      if (didChange) refetch();
    },
  };
}
